import type { ExecutorDuty } from './executor-duty.ts';
import { runDuty } from './run-duty.ts';

/** Asks the systems of record about operations in doubt, and settles what is proved. */
export function runReconcile({ executor, signal, warn }: ExecutorDuty): Promise<void> {
  return runDuty({ name: 'reconcile', everyMs: 1_000, work: () => executor.reconcile(), signal, warn });
}
