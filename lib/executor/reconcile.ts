import type { Event } from '../domain/states.ts';
import { isAllowed } from '../domain/transitions.ts';
import { differences, instantText, receiptText, replayableResult } from './classify.ts';
import type { EvidenceRow, OperationRecord, Question, Trace, TransitionRow } from './ports.ts';
import type { LookupAnswer, Tool } from './tool.ts';
import { backoffMs, toolOf, type World } from './world.ts';

/** How long a taken row is another reconciler's, in seconds: longer than a lookup may take. */
const TAKEN_SECONDS = 20;
const LOOKUP_TIMEOUT_MS = 10_000;

/** What one run did, by event; `asked` counts lookups. */
export type DutyReport = { asked: number } & { [event in Event]?: number };

/** The events of the reconcile duty, in the order in which the first allowed one is fired. */
const SETTLING: readonly Event[] = ['settle_found', 'settle_refused', 'settle_absent', 'resend', 'give_up'];

/**
 * The reconcile duty: asks the system of record about operations in doubt and settles what is proved. Any number of
 * workers; a crash costs a pause. Only evidence of an authoritative lookup settles, and only if nothing else changed
 * the operation since it was read.
 * @param limit operations at most
 */
export async function reconcile(world: World, limit: number): Promise<DutyReport> {
  const report: DutyReport = { asked: 0 };
  const due = await world.store.takeReconcilable(heldVersions(world), limit, TAKEN_SECONDS);
  await each(world, due, (question) => reconcileOne(world, question, report));
  return report;
}

/** One operation that cannot be looked at does not keep the others from it. */
async function each(
  world: World,
  due: readonly Question[],
  work: (question: Question) => Promise<void>,
): Promise<void> {
  await Promise.all(
    due.map((question) =>
      work(question).catch((error: unknown) =>
        world.warn(`looking at ${question.operation_key} failed`, error),
      ),
    ),
  );
}

async function reconcileOne(world: World, question: Question, report: DutyReport): Promise<void> {
  const tool = toolOf(world, question.tool_name, question.tool_version);
  if (tool === undefined) return;
  if (question.facts.evidence === 'found') return await settle(world, tool, question, report, false);
  // what is ready to be sent again has had its lookup, and is taken only where it can no longer be sent
  if (tool.lookup === undefined || question.pending_reason === 'ready')
    return await settle(world, tool, question, report, true);
  const evidence = await ask(world, tool, question, `system:reconcile ${world.worker}`);
  report.asked += 1;
  const [receipt] = await world.store.recordEvidence([
    { ...evidence, version: question.version, attempt: question.attempt },
  ]);
  // what somebody else changed meanwhile is judged at its next turn
  if (receipt?.record && receipt.unchanged) await settle(world, tool, receipt.record, report, true);
}

async function settle(
  world: World,
  tool: Tool,
  record: OperationRecord,
  report: DutyReport,
  fenced: boolean,
): Promise<void> {
  const event = SETTLING.find((candidate) => isAllowed(candidate, record.facts));
  if (event === undefined) return;
  const row: TransitionRow = {
    tenant_id: record.tenant_id,
    environment: record.environment,
    operation_key: record.operation_key,
    trace: dutyTrace(world, 'reconcile'),
    ...(fenced && { version: record.version, attempt: record.attempt }),
    ...((event === 'resend' || event === 'settle_absent') && {
      retry_after_ms: backoffMs(world, tool.contract, Math.max(1, record.attempt)),
    }),
  };
  const [answered] = await world.store.transition(event, [row]);
  if (answered?.refusal === null) report[event] = (report[event] ?? 0) + 1;
}

/** Answers the console's questions: evidence is stored, and nothing is settled by it. */
export async function answerLookupRequests(world: World, limit: number): Promise<number> {
  const asked = await world.store.takeLookupRequests(heldVersions(world), limit, TAKEN_SECONDS);
  await each(world, asked, async (question) => {
    const tool = toolOf(world, question.tool_name, question.tool_version);
    if (tool === undefined) return;
    const evidence = await ask(world, tool, question, question.asked_by ?? 'unknown');
    await world.store.recordEvidence([
      { ...evidence, ...(question.request_id !== undefined && { request_id: question.request_id }) },
    ]);
  });
  return asked.length;
}

/** The recover duty: leases that ran out become ready, recovering or unknown. Answers how many. */
export async function recover(world: World, limit: number): Promise<number> {
  const due = await world.store.expiredLeases(limit);
  if (due.length === 0) return 0;
  const answers = await world.store.transition(
    'expire',
    due.map((id) => ({ ...id, trace: dutyTrace(world, 'recover') })),
  );
  return answers.filter(({ refusal }) => refusal === null).length;
}

const heldVersions = (world: World) =>
  [...new Set(world.tools.values())].map(({ contract: { name, version } }) => ({ name, version }));

const dutyTrace = (world: World, duty: string): Trace => ({ actor: `system:${duty}`, worker: world.worker });

/** One question, with a deadline; what throws or is late has failed, and proves nothing. */
async function ask(world: World, tool: Tool, question: Question, askedBy: string): Promise<EvidenceRow> {
  const timeout = new AbortController();
  let cancel = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    cancel = world.clock.after(LOOKUP_TIMEOUT_MS, () => {
      timeout.abort(new Error('no answer in time'));
      reject(new Error('no answer in time')); // also where the lookup ignores its signal
    });
  });
  try {
    const given = await Promise.race([lookUp(tool, question, timeout.signal), late]);
    return evidenceRow(world, tool, question, askedBy, compared(tool, question, readAnswer(given)));
  } catch (error) {
    const because = error instanceof Error ? error.message.slice(0, 200) : 'unknown error';
    return evidenceRow(world, tool, question, askedBy, { answer: 'failed', because });
  } finally {
    cancel();
  }
}

async function lookUp(tool: Tool, question: Question, signal: AbortSignal): Promise<LookupAnswer> {
  if (tool.lookup === undefined) throw new Error('the tool has no lookup');
  return await tool.lookup({
    tenantId: question.tenant_id,
    environment: question.environment,
    downstreamKey: question.downstream_key ?? question.operation_key,
    requestId: question.downstream_request_id,
    providerJobId: question.provider_job_id,
    request: question.request,
    signal,
  });
}

const ANSWERS: readonly unknown[] = ['found', 'absent', 'pending', 'refused', 'ambiguous'];

/** Found without a receipt proves nothing, and neither does an answer that is none of the five. */
function readAnswer(given: LookupAnswer): LookupAnswer {
  if (!ANSWERS.includes(given.answer)) throw new Error('the lookup answered no known answer');
  if (given.answer === 'found' && receiptText(given.reference) === null)
    return { answer: 'ambiguous', because: 'a record without a receipt' };
  return given;
}

/** A receipt whose effect is not the requested one is ambiguous, not found. */
function compared(tool: Tool, question: Question, given: LookupAnswer): LookupAnswer {
  if (given.answer !== 'found') return given;
  const differing = differences(tool.contract.lookup?.compare ?? {}, question.request, given.record);
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
  given: Given,
): EvidenceRow {
  const committedAt = given.answer === 'found' ? instantText(given.committedAt) : undefined;
  return {
    tenant_id: question.tenant_id,
    environment: question.environment,
    operation_key: question.operation_key,
    source: 'lookup',
    asked_by: askedBy,
    looked_up_by: contract.lookup?.by ?? 'operation_key',
    asked_at: question.asked_at,
    answer: given.answer,
    authoritative: (contract.lookup?.authoritative ?? false) && given.answer !== 'failed',
    summary: summaryOf(contract.downstream.connector, given, Object.keys(contract.lookup?.compare ?? {})),
    trace: dutyTrace(world, 'reconcile'),
    ...(given.answer === 'found' && {
      effect_reference: given.reference,
      response: replayableResult(contract, given.record),
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
