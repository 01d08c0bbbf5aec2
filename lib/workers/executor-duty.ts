import type { Executor } from '../executor/index.ts';

/** What each duty of an executor needs. */
export type ExecutorDuty = {
  executor: Executor;
  /** Ends the duty; a run that has begun is finished first. */
  signal: AbortSignal;
  warn: (message: string, error?: unknown) => void;
};
