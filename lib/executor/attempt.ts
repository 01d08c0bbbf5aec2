import type { Outcome } from '../domain/outcome.ts';
import { classifyAnswer, classifyError, type AttemptEnd } from './classify.ts';
import type { OperationContext } from './context.ts';
import { appliedOutcome, bareOutcome, notSentOutcome } from './outcome-of.ts';
import type { OperationId, OperationRecord, Trace, TransitionAnswer, TransitionRow } from './ports.ts';
import { authorizeStep } from './authorization.ts';
import type { Request } from './request.ts';
import type { Tool } from './tool.ts';
import { backoffMs, stepsOf, traceOf, type Mark, type World } from './world.ts';

/** An attempt that this worker holds: claimed or acquired, and sent in the same commit. */
export interface HeldAttempt {
  tool: Tool;
  context: OperationContext;
  request: Request;
  record: OperationRecord;
  leaseToken: string;
  requestId: string;
  /** The worker's timer, started before claim or acquire was issued; milliseconds. */
  startedAt: number;
}

/** How an attempt went on: an outcome, or the record to answer from; `own` where this attempt wrote what it says. */
export type AttemptResult = { outcome: Outcome } | { record: OperationRecord; own: boolean };

/**
 * Performs one attempt: asks authorization again, sends inside the call budget while the lease is kept alive, and
 * records what came of it. Nothing is written to the wire after the budget, whatever the database did meanwhile.
 */
export async function performAttempt(world: World, held: HeldAttempt): Promise<AttemptResult> {
  const { tool, context, request, record } = held;
  const authorized = await authorizeStep(world, tool, context, request, record, 'effect');
  if (!authorized.allowed) {
    const end: AttemptEnd = authorized.permanent
      ? { event: 'refuse', reason: 'precondition_failed' }
      : { event: 'release', retryAfterMs: null };
    // whatever became of the record, this caller is told no more than that
    await recordOrDoubt(world, held, end, [authorized.mark]).catch((error: unknown) => {
      if (!(error instanceof RecordingFailed)) throw error;
    });
    return {
      outcome: {
        ...bareOutcome(record.operation_key, 'rejected', 'unauthorized', 'none'),
        attempt: record.attempt,
      },
    };
  }

  const remaining = tool.contract.downstream.call_budget_ms - (world.clock.now() - held.startedAt);
  const end: AttemptEnd =
    remaining > 0 ? await send(world, held, remaining) : { event: 'release', retryAfterMs: null };
  const marks = [authorized.mark];
  if (end.event === 'apply' || end.event === 'refuse')
    marks.push({ step: 'acknowledged', at: world.clock.now() });
  return await settleAttempt(world, held, end, marks);
}

/** One request to the downstream, under a heartbeat and a hard end. */
async function send(world: World, held: HeldAttempt, budgetMs: number): Promise<AttemptEnd> {
  const { tool, request, record, context } = held;
  const budget = new AbortController();
  const stopBudget = world.clock.after(budgetMs, () => budget.abort(new Error('call budget is over')));
  const stopHeartbeat = keepLease(world, held);
  const call = {
    arguments: request.args,
    tenantId: context.tenantId,
    environment: context.environment,
    downstreamKey: record.downstream_key ?? record.operation_key,
    requestId: held.requestId,
    attempt: record.attempt,
    signal: budget.signal,
  };
  // started inside a promise: an effect that throws at once is an answer like any other
  const ended = Promise.resolve(call)
    .then((given) => tool.effect(given))
    .then((answer) => classifyAnswer(tool.contract, request.identity.material, answer))
    .catch(classifyError);
  const end = await Promise.race([ended, overBudget(budget.signal)]);
  stopBudget();
  stopHeartbeat();
  if (end !== 'over budget') return end;
  // a tool that ignores its signal does not hold the worker; what it still hears is evidence
  void ended
    .then((late) => recordLate(world, held, late))
    .catch((error: unknown) => world.warn('late evidence was not stored', error));
  return { event: 'doubt', reason: 'no_answer', because: 'call budget is over', ended: false };
}

const overBudget = (signal: AbortSignal) =>
  new Promise<'over budget'>((resolve) => {
    signal.addEventListener('abort', () => resolve('over budget'), { once: true });
  });

/** Extends the lease at a third of its length until stopped; a lost lease is not revived, and the attempt goes on. */
function keepLease(world: World, { record, leaseToken, tool }: HeldAttempt): () => void {
  const id = idOf(record);
  let stopped = false;
  let cancel = () => {};
  const beat = () => {
    cancel = world.clock.after((tool.contract.lease_seconds * 1000) / 3, () => {
      void world.store
        .heartbeat([{ ...id, lease_token: leaseToken }])
        .catch((error: unknown) => world.warn('a heartbeat failed', error))
        .then(() => {
          if (!stopped) beat();
        });
    });
  };
  beat();
  return () => {
    stopped = true;
    cancel();
  };
}

/** Records the end; what the table does not let this worker say, after an earlier doubt, becomes doubt. */
async function recordOrDoubt(
  world: World,
  held: HeldAttempt,
  end: AttemptEnd,
  marks: readonly Mark[],
): Promise<TransitionAnswer> {
  const recorded = await recordEnd(world, held, end, marks);
  if (recorded.refusal !== 'not_allowed' || (end.event !== 'refuse' && end.event !== 'release'))
    return recorded;
  return await recordEnd(world, held, { event: 'doubt', reason: 'no_answer', because: end.event }, marks);
}

/** Records the end of a request; what comes too late for it is evidence. */
async function settleAttempt(
  world: World,
  held: HeldAttempt,
  end: AttemptEnd,
  marks: readonly Mark[],
): Promise<AttemptResult> {
  const recorded = await recordOrDoubt(world, held, end, marks);
  if (recorded.refusal !== null) {
    const late = await recordLate(world, held, end).catch((error: unknown) => {
      world.warn('late evidence was not stored', error);
      return null;
    });
    const record = late ?? recorded.record ?? held.record;
    if (end.event === 'apply' && record.status === 'applied' && record.effect_reference === end.reference)
      return { outcome: appliedOutcome(record) };
    return { record, own: false };
  }
  const record = recorded.record ?? held.record;
  if (end.event === 'apply') return { outcome: appliedOutcome(record) };
  if (record.pending_reason === 'ready') return { outcome: notSentOutcome(record) };
  return { record, own: true };
}

const RECORD_TRIES = 3;

/**
 * The end of an attempt is written with a few tries, because the effect may have happened. A reply that was lost is
 * seen on the next try: the token is gone, and the record shows this attempt's own result.
 */
async function recordEnd(
  world: World,
  held: HeldAttempt,
  end: AttemptEnd,
  marks: readonly Mark[],
): Promise<TransitionAnswer> {
  for (let tries = 1; ; tries++) {
    try {
      const [answer] = await world.store.transition(end.event, [endRow(world, held, end, marks)]);
      if (answer === undefined) throw new Error('the store answered nothing');
      return tries > 1 ? own(held, end, answer) : answer;
    } catch (error) {
      world.warn(`recording ${end.event} failed`, error);
      if (tries === RECORD_TRIES) throw new RecordingFailed(held.record.operation_key);
      await new Promise<void>((done) => world.clock.after(100 * 4 ** tries, done));
    }
  }
}

/** An earlier try that was committed although its reply was lost shows as fenced, with our result in the record. */
function own(held: HeldAttempt, end: AttemptEnd, answer: TransitionAnswer): TransitionAnswer {
  const { record, refusal } = answer;
  const isOurs =
    refusal === 'fenced' &&
    record !== null &&
    record.attempt === held.record.attempt &&
    (end.event === 'apply'
      ? record.status === 'applied' && record.effect_reference === end.reference
      : end.event === 'release'
        ? record.pending_reason === 'ready'
        : end.event === 'refuse'
          ? record.status === 'failed_permanent' && record.reason === end.reason
          : record.doubt_attempt !== null && record.reason === end.reason);
  return isOurs ? { refusal: null, record } : answer;
}

/** The record could not be written after an attempt; the row stays pending and goes to recovery. */
class RecordingFailed extends Error {
  override readonly name = 'RecordingFailed';
}

const idOf = ({ tenant_id, environment, operation_key }: OperationRecord): OperationId => ({
  tenant_id,
  environment,
  operation_key,
});

function endRow(world: World, held: HeldAttempt, end: AttemptEnd, marks: readonly Mark[]): TransitionRow {
  const { record, leaseToken, context } = held;
  const trace: Trace = { ...traceOf(world, context), steps: stepsOf(world, marks) };
  if (end.event === 'doubt') trace.detail = { ...trace.detail, because: end.because };
  const row: TransitionRow = { ...idOf(record), lease_token: leaseToken, trace };
  switch (end.event) {
    case 'apply':
      return { ...row, effect_reference: end.reference, response: end.response };
    case 'refuse':
      return { ...row, reason: end.reason };
    case 'doubt':
      return { ...row, reason: end.reason, ...(end.ended === false && { ended: false }) };
    case 'release':
      return {
        ...row,
        retry_after_ms: end.retryAfterMs ?? backoffMs(world, held.tool.contract, record.attempt),
      };
  }
}

/**
 * A fenced worker's late answer of any kind is kept: a receipt settles what is in doubt, a refusal settles nothing,
 * and what proves nothing is a row of the trace (rule 5).
 */
async function recordLate(world: World, held: HeldAttempt, end: AttemptEnd): Promise<OperationRecord | null> {
  if (end.event === 'doubt' || end.event === 'release') {
    if (end.event === 'doubt' && end.reason === 'no_answer') return null;
    const because = end.event === 'doubt' ? end.because : 'not done this time';
    const trace = { ...traceOf(world, held.context), detail: { attempt: held.record.attempt, because } };
    await world.store.addEvents([{ ...idOf(held.record), kind: 'late_evidence', trace }]);
    return null;
  }
  const seen = `The answer of attempt ${held.record.attempt} arrived after its lease was lost`;
  const [receipt] = await world.store.recordEvidence([
    {
      ...idOf(held.record),
      source: 'late_answer',
      asked_by: `executor:${world.worker}`,
      names_attempt: held.record.attempt,
      trace: traceOf(world, held.context),
      ...(end.event === 'apply'
        ? {
            answer: 'found' as const,
            authoritative: true,
            ...(end.reference !== null && { effect_reference: end.reference }),
            response: end.response,
            ...(end.committedAt !== undefined && { committed_at: end.committedAt }),
            summary: `${seen}: ${end.reference === null ? 'it was done' : `it names ${end.reference}`}.`,
          }
        : { answer: 'refused' as const, authoritative: false, summary: `${seen}: refused.` }),
    },
  ]);
  return receipt?.record ?? null;
}
