import type { Event } from '../domain/states.ts';
import { isAllowed } from '../domain/transitions.ts';
import { idOf } from './held-attempt.ts';
import { ask, dutyTrace } from './lookup.ts';
import type { OperationId, OperationRecord, Question, TransitionRow } from './ports.ts';
import { resendReady } from './resend.ts';
import type { Tool } from './tool.ts';
import { backoffMs, reconcilerOf, served, type World } from './world.ts';

/** How long a taken row is another reconciler's, in seconds: longer than a lookup may take. */
const TAKEN_SECONDS = 20;

/**
 * What one run did, by event; `asked` counts questions, `postponed` what was not asked in an outage, `resent` attempts
 * that the duty made itself.
 */
export type DutyReport = { asked: number; postponed?: number; resent?: number } & {
  [event in Event]?: number;
};

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
  const due = await world.store.takeReconcilable(served(world, askableVersions(world)), limit, TAKEN_SECONDS);
  const silent = Map.groupBy(
    due.filter(({ outage, facts }) => outage === true && facts.evidence !== 'found'),
    ({ tenant_id, environment, connector }) => JSON.stringify([tenant_id, environment, connector]),
  );
  await Promise.all([
    each(
      world,
      due.filter((question) => ![...silent.values()].flat().includes(question)),
      async (question) => void (await reconcileOne(world, question, report)),
    ),
    ...[...silent.values()].map((group) => probe(world, group, report)),
  ]);
  const resent = await resendReady(world, limit);
  return resent === 0 ? report : { ...report, resent };
}

/** One question to a provider that is out of reach; without an answer the others wait, and nobody is called for them. */
async function probe(
  world: World,
  [first, ...others]: readonly Question[],
  report: DutyReport,
): Promise<void> {
  if (first === undefined) return;
  let isAnswered = false;
  await each(world, [first], async (question) => {
    isAnswered = await reconcileOne(world, question, report);
  });
  if (isAnswered)
    return await each(world, others, async (question) => void (await reconcileOne(world, question, report)));
  if (others.length === 0) return;
  const postponed = await world.store.postpone(others.map(idOf));
  report.postponed = (report.postponed ?? 0) + postponed;
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

/** Answers false where the provider could not be asked. */
async function reconcileOne(world: World, question: Question, report: DutyReport): Promise<boolean> {
  const tool = reconcilerOf(world, question.tool_name, question.tool_version);
  if (tool === undefined) return true;
  if (question.facts.evidence === 'found') {
    await settle(world, tool, question, report, false);
    return true;
  }
  const canAsk = tool.lookup !== undefined || (question.facts.jobOpen && tool.pollJob !== undefined);
  // what is ready to be sent again has had its lookup, and is taken only where it can no longer be sent
  if (!canAsk || question.pending_reason === 'ready') {
    await settle(world, tool, question, report, true);
    return true;
  }
  const evidence = await ask(world, tool, question, `system:reconcile ${world.worker}`);
  report.asked += 1;
  const [receipt] = await world.store.recordEvidence([
    { ...evidence, version: question.version, attempt: question.attempt },
  ]);
  // what somebody else changed meanwhile is judged at its next turn
  if (receipt?.record && receipt.unchanged) await settle(world, tool, receipt.record, report, true);
  return evidence.answer !== 'failed';
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
    ...idOf(record),
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
  const asked = await world.store.takeLookupRequests(
    served(world, askableVersions(world)),
    limit,
    TAKEN_SECONDS,
  );
  await each(world, asked, async (question) => {
    const tool = reconcilerOf(world, question.tool_name, question.tool_version);
    if (tool === undefined) return;
    const evidence = await ask(world, tool, question, question.asked_by ?? 'unknown');
    await world.store.recordEvidence([
      { ...evidence, ...(question.request_id !== undefined && { request_id: question.request_id }) },
    ]);
  });
  return asked.length;
}

/**
 * The recover duty: leases that ran out become ready, recovering or unknown; what was never sent is given up after the
 * contract's time. Answers how many.
 */
export async function recover(world: World, limit: number): Promise<number> {
  const expired = await fireAll(world, 'expire', 'recover', await world.store.expiredLeases(limit));
  return expired + (await fireAll(world, 'abandon', 'recover', await world.store.abandonable(limit)));
}

/** The compact duty: past its retention an operation keeps key, fingerprint, status and reference. Answers how many. */
export async function compact(world: World, limit: number): Promise<number> {
  return await fireAll(world, 'compact', 'compact', await world.store.pastRetention(limit));
}

async function fireAll(
  world: World,
  event: Event,
  duty: string,
  due: readonly OperationId[],
): Promise<number> {
  if (due.length === 0) return 0;
  const trace = dutyTrace(world, duty);
  const answers = await world.store.transition(
    event,
    due.map((id) => ({ ...id, trace })),
  );
  return answers.filter(({ refusal }) => refusal === null).length;
}

/** The versions that this process holds, and those that a held contract says it reconciles. */
const askableVersions = (world: World) =>
  [...new Set(world.tools.values())].flatMap(({ contract: { name, version, supersedes = {} } }) => [
    { name, version },
    ...Object.entries(supersedes)
      .filter(([old, how]) => how === 'reconcile' && !world.tools.has(`${name}@${old}`))
      .map(([old]) => ({ name, version: old })),
  ]);
