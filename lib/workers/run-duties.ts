import { runAnswerLookupRequests } from './answer-lookup-requests.ts';
import { runCompact } from './compact.ts';
import { runReconcile } from './reconcile.ts';
import type { ExecutorDuty } from './executor-duty.ts';
import { runRecover } from './recover.ts';
import { runWalk } from './walk.ts';

/** All duties of one executor, until `signal` is aborted. Settles when each has finished its last run. */
export async function runDuties(duty: ExecutorDuty): Promise<void> {
  await Promise.all([
    runRecover(duty),
    runReconcile(duty),
    runCompact(duty),
    runWalk(duty),
    runAnswerLookupRequests(duty),
  ]);
}
