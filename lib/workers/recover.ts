import type { ExecutorDuty } from './executor-duty.ts';
import { runDuty } from './run-duty.ts';

/** Takes up operations whose worker let its lease run out, within about a second. */
export function runRecover({ executor, signal, warn }: ExecutorDuty): Promise<void> {
  return runDuty({ name: 'recover', everyMs: 1_000, work: () => executor.recover(), signal, warn });
}
