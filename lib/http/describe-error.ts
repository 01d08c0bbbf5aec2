import { DatabaseError } from '../errors.ts';

/** Errors of the language itself, whose messages name identifiers of ours. Others may quote what was sent. */
const OWN_WORDS = [ReferenceError, RangeError, TypeError, DatabaseError];

/** What may be logged of an error that nobody expected: its name and place, and its message only where it is ours. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return {
    error: error.name,
    ...(OWN_WORDS.some((kind) => error instanceof kind) ? { message: error.message } : {}),
    at: frames.slice(0, 8).map((line) => line.trim()),
  };
}
