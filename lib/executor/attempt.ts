import type { Outcome } from '../domain/outcome.ts';
import { beforeEffect } from './before-effect.ts';
import { classifyAnswer, classifyError, type AttemptEnd } from './classify.ts';
import { idOf, type HeldAttempt } from './held-attempt.ts';
import { appliedOutcome, bareOutcome } from './outcome-of.ts';
import type { OperationRecord, TransitionAnswer, TransitionRow } from './ports.ts';
import { recordLate, RecordingFailed, recordOrDoubt } from './record-end.ts';
import { withResult } from './replay-result.ts';
import type { EffectCall } from './tool.ts';
import { sendsWithClaim, stepsOf, traceOf, type Mark, type World } from './world.ts';

/**
 * How an attempt went on: an outcome; or the record to answer from, `own` where this attempt wrote what it says; and
 * `notSent` where this attempt provably did nothing, so that it may be made again.
 */
export type AttemptResult =
  { outcome: Outcome } | { record: OperationRecord; own: boolean } | { notSent: OperationRecord };

/**
 * Performs one attempt: asks authorization, preconditions and the target's version again, sends inside the call budget
 * while the lease is kept alive, and records what came of it. Nothing is written to the wire after the budget, whatever
 * the database did meanwhile.
 */
export async function performAttempt(world: World, held: HeldAttempt): Promise<AttemptResult> {
  const budget = new AbortController();
  const call = effectCall(held, budget.signal);
  const checked = await beforeEffect(world, held, call);
  if (!checked.go) {
    if (!checked.unauthorized) return await settleAttempt(world, held, checked.end, checked.marks);
    // whatever became of the record, this caller is told no more than that
    await recordOrDoubt(world, held, checked.end, checked.marks).catch((error: unknown) => {
      if (!(error instanceof RecordingFailed)) throw error;
    });
    const { operation_key: key, attempt } = held.record;
    return { outcome: { ...bareOutcome(key, 'rejected', 'unauthorized', 'none'), attempt } };
  }
  const { marks } = checked;

  let startedAt = held.startedAt;
  if (!sendsWithClaim(held.tool.contract)) {
    startedAt = world.clock.now(); // before the statement is issued
    const sent = await commitSend(world, held, marks);
    if (sent !== null) return sent;
  }
  const remaining = held.tool.contract.downstream.call_budget_ms - (world.clock.now() - startedAt);
  const end: AttemptEnd =
    remaining > 0
      ? await send(world, held, call, budget, remaining)
      : { event: 'release', retryAfterMs: null };
  if (end.event === 'apply' || end.event === 'refuse')
    marks.push({ step: 'acknowledged', at: world.clock.now() });
  if (end.event === 'accept') marks.push({ step: 'accepted', at: world.clock.now() });
  return await settleAttempt(world, held, end, marks);
}

const effectCall = (
  { request, record, context, requestId }: HeldAttempt,
  signal: AbortSignal,
): EffectCall<unknown> => ({
  arguments: request.args,
  tenantId: context.tenantId,
  environment: context.environment,
  downstreamKey: record.downstream_key ?? record.operation_key,
  requestId,
  attempt: record.attempt,
  signal,
});

/** The send as a commit of its own; null where the worker may send now. */
async function commitSend(world: World, held: HeldAttempt, marks: Mark[]): Promise<AttemptResult | null> {
  const row: TransitionRow = {
    ...idOf(held.record),
    lease_token: held.leaseToken,
    downstream_request_id: held.requestId,
    trace: { ...traceOf(world, held.context), steps: stepsOf(world, marks) },
  };
  let answer: TransitionAnswer | undefined;
  try {
    [answer] = await world.store.transition('send', [row]);
  } catch (error) {
    // a lost reply: the row shows by our token whether it was sent
    world.warn(`the reply to the send of ${row.operation_key} was lost`, error);
    const [record] = await world.store.read([idOf(held.record)]);
    const isSent =
      record?.lease_token === held.leaseToken &&
      record.downstream_request_id === held.requestId &&
      record.sent_attempt === record.attempt;
    answer = { refusal: isSent ? null : 'not_allowed', record: record ?? null };
  }
  marks.length = 0; // they are written
  if (answer?.refusal === null) return null;
  if (answer?.refusal === 'not_allowed')
    return await settleAttempt(world, held, { event: 'release', retryAfterMs: null }, []);
  return { record: answer?.record ?? held.record, own: false };
}

/** One request to the downstream, under a heartbeat and a hard end. */
async function send(
  world: World,
  held: HeldAttempt,
  call: EffectCall<unknown>,
  budget: AbortController,
  budgetMs: number,
): Promise<AttemptEnd> {
  const { tool, request } = held;
  const stopBudget = world.clock.after(budgetMs, () => budget.abort(new Error('call budget is over')));
  const stopHeartbeat = keepLease(world, held);
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
      return { outcome: appliedOutcome(withResult(world, record)) };
    return { record, own: false };
  }
  const record = recorded.record ?? held.record;
  if (end.event === 'apply') return { outcome: appliedOutcome(withResult(world, record)) };
  if (record.pending_reason === 'ready') return { notSent: record };
  return { record, own: true };
}
