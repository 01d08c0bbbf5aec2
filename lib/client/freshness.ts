import type { QueryClient } from '@tanstack/react-query';

/** How the screen stands to the server: when the last answer came, and whether the last question had one. */
export type Freshness = {
  /** Milliseconds since 1970 by the browser's clock; 0 before the first answer. */
  answeredAt: number;
  state: 'answering' | 'silent' | 'signed_out';
};

/** Reads it off the questions that the screen asks now. */
export function freshnessOf(client: QueryClient): Freshness {
  const active = client.getQueryCache().findAll({ type: 'active' });
  const answeredAt = Math.max(0, ...active.map((query) => query.state.dataUpdatedAt));
  const failed = active.filter(
    (query) => query.state.fetchFailureReason !== null || query.state.status === 'error',
  );
  if (failed.length === 0) return { answeredAt, state: 'answering' };
  const isSignedOut = failed.some((query) => {
    const error = (query.state.fetchFailureReason ?? query.state.error) as { status?: unknown } | null;
    return error?.status === 401;
  });
  return { answeredAt, state: isSignedOut ? 'signed_out' : 'silent' };
}
