import type { ExecutorDuty } from './executor-duty.ts';
import { runDuty } from './run-duty.ts';

/** Walks what the providers list, each list about once a minute, and compares it with the operations. */
export function runWalk({ executor, signal, warn }: ExecutorDuty): Promise<void> {
  return runDuty({ name: 'walk', everyMs: 5_000, work: () => executor.walk(), signal, warn });
}
