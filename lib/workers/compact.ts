import type { ExecutorDuty } from './executor-duty.ts';
import { runDuty } from './run-duty.ts';

/** Drops the results of what is past its retention, and keeps its tombstone. */
export function runCompact({ executor, signal, warn }: ExecutorDuty): Promise<void> {
  return runDuty({ name: 'compact', everyMs: 10_000, work: () => executor.compact(), signal, warn });
}
