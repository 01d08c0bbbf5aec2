import type { AttemptEnd } from './classify.ts';
import { idOf, type HeldAttempt } from './held-attempt.ts';
import type { OperationRecord, Trace, TransitionAnswer, TransitionRow } from './ports.ts';
import { toStored } from './replay-result.ts';
import { backoffMs, stepsOf, traceOf, type Mark, type World } from './world.ts';

/** Records the end; what the table does not let this worker say, after an earlier doubt, becomes doubt. */
export async function recordOrDoubt(
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
        : end.event === 'accept'
          ? record.provider_job_id === end.jobId
          : end.event === 'refuse'
            ? record.status === 'failed_permanent' && record.reason === end.reason
            : record.doubt_attempt !== null && record.reason === end.reason);
  return isOurs ? { refusal: null, record } : answer;
}

/** The record could not be written after an attempt; the row stays pending and goes to recovery. */
export class RecordingFailed extends Error {
  override readonly name = 'RecordingFailed';
}

function endRow(world: World, held: HeldAttempt, end: AttemptEnd, marks: readonly Mark[]): TransitionRow {
  const { record, leaseToken, context } = held;
  const trace: Trace = { ...traceOf(world, context), steps: stepsOf(world, marks) };
  if (end.event === 'doubt') trace.detail = { ...trace.detail, because: end.because };
  const row: TransitionRow = { ...idOf(record), lease_token: leaseToken, trace };
  switch (end.event) {
    case 'apply':
      return {
        ...row,
        effect_reference: end.reference,
        ...toStored(world, held.tool.contract, idOf(record), end.response),
      };
    case 'accept':
      return { ...row, provider_job_id: end.jobId };
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
export async function recordLate(
  world: World,
  held: HeldAttempt,
  end: AttemptEnd,
): Promise<OperationRecord | null> {
  if (end.event === 'doubt' || end.event === 'release') {
    if (end.event === 'doubt' && end.reason === 'no_answer') return null;
    const because = end.event === 'doubt' ? end.because : 'not done this time';
    const trace = { ...traceOf(world, held.context), detail: { attempt: held.record.attempt, because } };
    await world.store.addEvents([{ ...idOf(held.record), kind: 'late_evidence', trace }]);
    return null;
  }
  if (end.event === 'accept') return await recordLateJob(world, held, end.jobId);
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
            ...toStored(world, held.tool.contract, idOf(held.record), end.response),
            ...(end.committedAt !== undefined && { committed_at: end.committedAt }),
            summary: `${seen}: ${end.reference === null ? 'it was done' : `it names ${end.reference}`}.`,
          }
        : { answer: 'refused' as const, authoritative: false, summary: `${seen}: refused.` }),
    },
  ]);
  return receipt?.record ?? null;
}

/** A job that became known too late can still be asked for its end. */
async function recordLateJob(
  world: World,
  held: HeldAttempt,
  jobId: string,
): Promise<OperationRecord | null> {
  const [receipt] = await world.store.recordEvidence([
    {
      ...idOf(held.record),
      source: 'late_answer',
      asked_by: `executor:${world.worker}`,
      names_attempt: held.record.attempt,
      provider_job_id: jobId,
      trace: traceOf(world, held.context),
      answer: 'pending',
      authoritative: false,
      summary: `The answer of attempt ${held.record.attempt} arrived after its lease was lost: it names the job ${jobId}.`,
    },
  ]);
  return receipt?.record ?? null;
}
