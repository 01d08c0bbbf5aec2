import type { ExecutorDuty } from './executor-duty.ts';
import { runDuty } from './run-duty.ts';

/** Answers what people ask in the console; somebody is waiting for it, so within about half a second. */
export function runAnswerLookupRequests({ executor, signal, warn }: ExecutorDuty): Promise<void> {
  const work = () => executor.answerLookupRequests();
  return runDuty({ name: 'answer-lookup-requests', everyMs: 500, work, signal, warn });
}
