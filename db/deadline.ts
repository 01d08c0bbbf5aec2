import { DatabaseError } from '../lib/errors.ts';

/** How long any call of the database may take before its promise is rejected. */
export const DEADLINE_MS = 5_000;

/** The server gives up first, so that a statement rarely outlives the caller who stopped waiting for it. */
export const statementTimeoutMs = (deadlineMs: number): number => Math.max(1, Math.floor(deadlineMs * 0.9));

/**
 * `work`, or a `DatabaseError` of kind `deadline` after `deadlineMs`. `onDeadline` frees what the work holds; what
 * the work does afterwards goes unheard. A write that met its deadline may have happened: read it again.
 */
export async function withDeadline<T>(
  work: Promise<T>,
  deadlineMs: number,
  onDeadline: () => void = () => {},
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new DatabaseError('deadline', { message: `database deadline (${deadlineMs} ms)` }));
      onDeadline();
    }, deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
