import type { Contract } from './contract/contract.ts';
import { differences, instantText, receiptText, replayableResult } from './classify.ts';
import type { EvidenceRow, OperationRecord, Question, Trace } from './ports.ts';
import { toStored } from './replay-result.ts';
import { LookupFailed, type LookupAnswer, type LookupQuestion, type Tool } from './tool.ts';
import { safeWords, type World } from './world.ts';

const LOOKUP_TIMEOUT_MS = 10_000;

export const dutyTrace = (world: World, duty: string): Trace => ({
  actor: `system:${duty}`,
  worker: world.worker,
});

/**
 * Asks about a stored operation for a late arrival, keeps the evidence, and gives the record as it is then.
 * @param request the arriving request's material fields after redaction; the record's own may be gone by now
 */
export async function lookAgain(
  world: World,
  tool: Tool,
  record: OperationRecord,
  request: LookupQuestion['request'],
): Promise<OperationRecord> {
  // judged by the store's own time of the answer
  const question: Question = { ...record, request, asked_at: '' };
  const { asked_at: _none, ...evidence } = await ask(world, tool, question, 'system:late_arrival');
  const [receipt] = await world.store.recordEvidence([evidence]);
  return receipt?.record ?? record;
}

/**
 * One question, to the job where one is open and to the lookup otherwise, with a deadline; what throws or is late has
 * failed, and proves nothing.
 */
export async function ask(
  world: World,
  tool: Tool,
  question: Question,
  askedBy: string,
): Promise<EvidenceRow> {
  const asksJob = question.facts.jobOpen && tool.pollJob !== undefined;
  const timeout = new AbortController();
  let cancel = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    cancel = world.clock.after(LOOKUP_TIMEOUT_MS, () => {
      timeout.abort(new LookupFailed('no answer in time'));
      reject(new LookupFailed('no answer in time')); // also where the lookup ignores its signal
    });
  });
  try {
    const given = await Promise.race([put(tool, asksJob, question, timeout.signal), late]);
    return evidenceRow(world, tool, question, askedBy, asksJob, compared(tool, question, readAnswer(given)));
  } catch (error) {
    const because = safeWords(error);
    return evidenceRow(world, tool, question, askedBy, asksJob, { answer: 'failed', because });
  } finally {
    cancel();
  }
}

async function put(
  tool: Tool,
  asksJob: boolean,
  question: Question,
  signal: AbortSignal,
): Promise<LookupAnswer> {
  const asked: LookupQuestion = {
    tenantId: question.tenant_id,
    environment: question.environment,
    downstreamKey: question.downstream_key ?? question.operation_key,
    requestId: question.downstream_request_id,
    providerJobId: question.provider_job_id,
    request: question.request,
    signal,
  };
  const answer = asksJob ? await tool.pollJob?.(asked) : await tool.lookup?.(asked);
  if (answer === undefined) throw new LookupFailed('the tool has no lookup, or it answered nothing');
  return answer;
}

const ANSWERS: readonly unknown[] = ['found', 'absent', 'pending', 'refused', 'ambiguous'];

/** Found without a receipt proves nothing, and neither does an answer that is none of the five. */
function readAnswer(given: LookupAnswer): LookupAnswer {
  if (!ANSWERS.includes(given.answer)) throw new LookupFailed('the lookup answered no known answer');
  if (given.answer === 'found' && receiptText(given.reference) === null)
    return { answer: 'ambiguous', because: 'a record without a receipt' };
  return given;
}

/** What an answer is compared in: what the lookup states, or, of a job alone, the postcondition but for masked fields. */
const fieldsToCompare = ({
  lookup,
  postcondition = {},
  material,
}: Contract): Readonly<Record<string, string>> =>
  lookup?.compare ??
  Object.fromEntries(Object.entries(postcondition).filter(([, name]) => material[name]?.sensitive !== true));

/** A receipt whose effect is not the requested one is ambiguous, not found. */
function compared(tool: Tool, question: Question, given: LookupAnswer): LookupAnswer {
  if (given.answer !== 'found') return given;
  const differing = differences(fieldsToCompare(tool.contract), question.request, given.record);
  if (differing.length === 0) return given;
  return {
    answer: 'ambiguous',
    because: `${given.reference} differs from the request in ${differing.join(', ')}`,
  };
}

type Given = LookupAnswer | { answer: 'failed'; because: string };

function evidenceRow(
  world: World,
  { contract }: Tool,
  question: Question,
  askedBy: string,
  asksJob: boolean,
  given: Given,
): EvidenceRow {
  const isJob = asksJob && question.provider_job_id !== null;
  const committedAt = given.answer === 'found' ? instantText(given.committedAt) : undefined;
  return {
    tenant_id: question.tenant_id,
    environment: question.environment,
    operation_key: question.operation_key,
    source: isJob ? 'job' : 'lookup',
    asked_by: askedBy,
    looked_up_by: isJob ? (contract.job_poll ?? 'job_id') : (contract.lookup?.by ?? 'operation_key'),
    ...(isJob && question.sent_attempt !== null && { names_attempt: question.sent_attempt }),
    asked_at: question.asked_at,
    answer: given.answer,
    // a job's end is its provider's own word
    authoritative: (isJob || (contract.lookup?.authoritative ?? false)) && given.answer !== 'failed',
    summary: summaryOf(contract.downstream.connector, given, Object.keys(fieldsToCompare(contract))),
    trace: dutyTrace(world, 'reconcile'),
    ...(given.answer === 'found' && {
      effect_reference: given.reference,
      ...toStored(world, contract, question, replayableResult(contract, given.record)),
      ...(given.deliveryState !== undefined && { delivery_state: given.deliveryState }),
      ...(committedAt !== undefined && { committed_at: committedAt }),
    }),
  };
}

function summaryOf(connector: string, given: Given, comparedFields: readonly string[]): string {
  switch (given.answer) {
    case 'found':
      return comparedFields.length === 0
        ? `${connector} shows ${given.reference}.`
        : `${connector} shows ${given.reference}; ${comparedFields.join(', ')} match the request.`;
    case 'absent':
      return `${connector} shows no effect of this key.`;
    case 'pending':
      return `${connector} is still processing this key.`;
    case 'refused':
    case 'ambiguous':
      return `${connector}: ${given.because}.`;
    case 'failed':
      return `${connector} could not be asked: ${given.because}.`;
  }
}
