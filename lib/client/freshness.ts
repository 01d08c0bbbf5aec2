import type { QueryClient } from '@tanstack/react-query';

/** How the screen stands to the server: the database's time of the last answer, and whether the last question had one. */
export type Freshness = { checkedAt: string | null; state: 'answering' | 'silent' | 'signed_out' };

/** Reads it off the questions that the screen asks now. */
export function freshnessOf(client: QueryClient): Freshness {
  const active = client.getQueryCache().findAll({ type: 'active' });
  const checkedAt = active
    .map((query) => checkedAtOf(query.state.data))
    .filter((at) => at !== null)
    .reduce<string | null>(
      (last, at) => (last === null || Date.parse(at) > Date.parse(last) ? at : last),
      null,
    );
  const failures = active.flatMap(({ state: { fetchFailureReason, error } }): unknown[] => {
    const failure = fetchFailureReason ?? error;
    return failure === null ? [] : [failure];
  });
  if (failures.length === 0) return { checkedAt, state: 'answering' };
  return { checkedAt, state: failures.some(isSignedOut) ? 'signed_out' : 'silent' };
}

/** Every answer says when it was read; a list that is read by pages says it on its first page. */
function checkedAtOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  if ('checked_at' in answer && typeof answer.checked_at === 'string') return answer.checked_at;
  return 'pages' in answer && Array.isArray(answer.pages) ? checkedAtOf(answer.pages[0]) : null;
}

const isSignedOut = (failure: unknown) =>
  typeof failure === 'object' && failure !== null && 'status' in failure && failure.status === 401;
