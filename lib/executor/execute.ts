import { answer, type Answer } from '../domain/answer.ts';
import { NO_OPERATION, type Facts } from '../domain/facts.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { NextAction, OutcomeReason, OutcomeStatus } from '../domain/states.ts';
import { performAttempt } from './attempt.ts';
import { authorizeStep } from './authorization.ts';
import { acquire, claim } from './claim.ts';
import type { OperationContext } from './context.ts';
import { capabilitiesOf } from './contract/capabilities.ts';
import { deliveryFacts, isMatch, note, readOne, type Delivery } from './delivery.ts';
import { fieldDigests } from './identity/fingerprint.ts';
import { InvalidArguments } from './identity/invalid-arguments.ts';
import { operationKey } from './identity/operation-key.ts';
import { answeredOutcome, bareOutcome, invalidOutcome, notSentOutcome } from './outcome-of.ts';
import type { HeldAttempt } from './held-attempt.ts';
import { lookAgain } from './lookup.ts';
import { performRead } from './perform-read.ts';
import type { ClaimRefusal, OperationRecord, Trace } from './ports.ts';
import { withResult } from './replay-result.ts';
import { readRequest, type Request } from './request.ts';
import type { Tool } from './tool.ts';
import {
  assertServed,
  isManual,
  isStricter,
  reconcilerOf,
  toolOf,
  traceOf,
  type Mark,
  type World,
} from './world.ts';

/** Beyond it something else is changing the operation faster than it can be answered: it is in flight. */
const MAX_ROUNDS = 6;

/**
 * One delivery of a tool call: validate, derive the key, fingerprint, authorize, claim or load, and do the one thing
 * that the transition table allows. Rejects only when the database failed before a claim; everything else is an outcome.
 */
export async function execute(
  world: World,
  tool: Tool,
  args: unknown,
  context: OperationContext,
  signal?: AbortSignal,
): Promise<Outcome> {
  const proposed: Mark = { step: 'proposed', at: world.clock.now() };
  let baseKey = '';
  let request: Request;
  try {
    baseKey = operationKey(context);
    assertServed(world, context.environment);
    if (context.successorKey !== undefined && !isSuccessorOf(context.successorKey, baseKey))
      return bareOutcome(baseKey, 'rejected', 'superseded', 'inspect_operation');
    request = await readRequest(tool, context.tenantId, args);
  } catch (error) {
    if (!(error instanceof InvalidArguments)) throw error;
    if (baseKey !== '') {
      const id = { tenant_id: context.tenantId, environment: context.environment, operation_key: baseKey };
      await note({ world, context, id, marks: [proposed] }, 'rejected', { reason: 'invalid_arguments' });
    }
    return invalidOutcome(baseKey, error);
  }
  const delivery: Delivery = {
    world,
    tool,
    context,
    request,
    given: args,
    signal,
    retryUntil: proposed.at + (tool.contract.attempts.retry_within_seconds ?? 0) * 1000,
    id: {
      tenant_id: context.tenantId,
      environment: context.environment,
      operation_key: context.successorKey ?? baseKey,
    },
    marks: [proposed, { step: 'validated', at: world.clock.now() }],
  };
  const authorized = await authorizeStep(
    world,
    tool,
    context,
    request,
    { operation_key: delivery.id.operation_key, attempt: 0 },
    'delivery',
  );
  delivery.marks.push(authorized.mark);
  if (!authorized.allowed) {
    await note(delivery, 'rejected', { reason: 'unauthorized' });
    return bareOutcome(delivery.id.operation_key, 'rejected', 'unauthorized', 'none');
  }
  signal?.throwIfAborted(); // before the claim; afterwards the recording finishes
  if (tool.contract.effect_class === 'read') return await performRead(delivery);
  return await deliver(delivery);
}

/** A key that a decision may have made for this step. */
export const isSuccessorOf = (key: string, baseKey: string) =>
  key.startsWith(`${baseKey}!`) && /^\d+$/.test(key.slice(baseKey.length + 1));

async function deliver(delivery: Delivery): Promise<Outcome> {
  const { context, tool } = delivery;
  if (context.successorKey !== undefined) {
    // a successor is created by a decision, never by a delivery
    const record = await readOne(delivery);
    if (record === null || record.supersedes_key === null)
      return await refusedNew(delivery, 'rejected', 'superseded', 'inspect_operation');
    return await answerRecord(delivery, record, tool);
  }
  const first = answerNew(delivery);
  if (first.do === 'answer') {
    // a key that exists is answered by its record; only a new one is refused here
    const record = await readOne(delivery);
    if (record === null) return await refusedNew(delivery, first.status, first.reason, first.nextAction);
    return await answerRecord(delivery, record, tool);
  }
  const claimed = await claim(delivery, first.do === 'request_approval' ? 'awaiting_approval' : 'leased');
  if ('held' in claimed) return await attempt(delivery, claimed.held);
  if ('record' in claimed) return await answerRecord(delivery, claimed.record, tool, claimed.own);
  const { status, reason, nextAction, safeToRepeat } = CLAIM_REFUSED[claimed.refusal];
  return {
    ...(await refusedNew(delivery, status, reason, nextAction)),
    safe_to_repeat: safeToRepeat,
  };
}

/** What a claim that made no row and shows none is answered with; a sibling and a foreign row are never named. */
const CLAIM_REFUSED = {
  sibling: { status: 'rejected', reason: 'sibling', nextAction: 'ask_for_approval', safeToRepeat: false },
  key_taken: {
    status: 'rejected',
    reason: 'fingerprint_mismatch',
    nextAction: 'inspect_operation',
    safeToRepeat: false,
  },
  fail_over: { status: 'rejected', reason: 'fail_over', nextAction: 'retry_later', safeToRepeat: true },
} as const satisfies Record<ClaimRefusal, unknown>;

/** A delivery that is refused before it has a record is a row of the trace too. */
async function refusedNew(
  delivery: Delivery,
  status: OutcomeStatus,
  reason: OutcomeReason | null,
  nextAction: NextAction,
): Promise<Outcome> {
  await note(delivery, status, { reason });
  return bareOutcome(delivery.id.operation_key, status, reason, nextAction);
}

/**
 * Answers a stored operation; fires what the answer asks for, and answers again.
 * @param own this delivery has itself just written what the record says
 */
async function answerRecord(
  delivery: Delivery,
  first: OperationRecord,
  tool: Tool,
  own = false,
): Promise<Outcome> {
  const { world } = delivery;
  let record = first;
  const matches = await isMatch(delivery, record);
  if (matches === null) return await answered(delivery, record, VERSION_NOT_HELD);
  const held = toolOf(world, record.tool_name, record.tool_version);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const said = answer(
      {
        ...record.facts,
        versionHeld: held !== undefined,
        manual: record.facts.manual || (held !== undefined && isKeptFrom(world, held, record)),
      },
      deliveryFacts(tool, record, matches),
    );
    switch (said.do) {
      case 'answer':
        // the event that this delivery wrote is its row of the trace
        if (own) return answeredOutcome(record, { ...said, repeated: false }, delivery.tool.contract.version);
        return await answered(delivery, record, said);
      case 'acquire': {
        const asHeld = await deliveryOf(delivery, held ?? tool, record);
        if (asHeld === null) return await answered(delivery, record, MISMATCH);
        const acquired = await acquire(asHeld, record, held ?? tool);
        if ('held' in acquired) return await attempt(asHeld, acquired.held);
        record = acquired.record;
        break;
      }
      case 'expire': {
        const [expired] = await world.store.transition('expire', [
          { ...delivery.id, trace: traceOf(world, delivery.context) },
        ]);
        record = expired?.record ?? record;
        break;
      }
      case 'request_approval': {
        const [asked] = await world.store.transition('request_approval', [
          { ...delivery.id, trace: traceOf(world, delivery.context) },
        ]);
        record = asked?.record ?? record;
        break;
      }
      case 'reconcile_first':
        return await answerLate(delivery, record);
      case 'claim':
        throw new Error('a stored operation cannot be claimed');
    }
  }
  return await answered(delivery, record, BUSY);
}

/** The record's own version cannot be read by this process: whether it matches is not known here. */
export const VERSION_NOT_HELD: Extract<Answer, { do: 'answer' }> = {
  do: 'answer',
  status: 'in_flight',
  reason: 'version_not_held',
  nextAction: 'poll',
  reveals: false,
  safeToRepeat: false,
  repeated: false,
};

const BUSY: Extract<Answer, { do: 'answer' }> = {
  do: 'answer',
  status: 'in_flight',
  reason: 'leased',
  nextAction: 'poll',
  reveals: true,
  safeToRepeat: false,
  repeated: false,
};

/** An operation of an older version is performed with the request as that version reads it; null where it is another. */
async function deliveryOf(delivery: Delivery, held: Tool, record: OperationRecord): Promise<Delivery | null> {
  if (held === delivery.tool) return delivery;
  try {
    const request = await readRequest(held, delivery.context.tenantId, delivery.given);
    const isSame = request.identity.fingerprint === record.request_fingerprint;
    return isSame ? { ...delivery, tool: held, request } : null;
  } catch (error) {
    if (error instanceof InvalidArguments) return null; // the older version does not take these arguments
    throw error;
  }
}

const MISMATCH: Extract<Answer, { do: 'answer' }> = {
  do: 'answer',
  status: 'rejected',
  reason: 'fingerprint_mismatch',
  nextAction: 'inspect_operation',
  reveals: false,
  safeToRepeat: false,
  repeated: false,
};

function answerNew({ world, tool, request }: Delivery): Answer {
  const { contract } = tool;
  const needsApproval = request.needsApproval || isStricter(world, contract.name);
  const facts: Facts = {
    ...NO_OPERATION,
    manual: isManual(world, tool),
    approval: needsApproval ? 'missing' : 'not_needed',
    capabilities: capabilitiesOf(contract),
  };
  return answer(facts, {
    authorized: true,
    matches: true,
    consumer: false,
    lateArrival: contract.late_arrival,
    storedReason: null,
  });
}

/** A fixed answer is a delivery of the trace; a replay asks authorization once more before the result is revealed. */
async function answered(
  delivery: Delivery,
  record: OperationRecord,
  said: Extract<Answer, { do: 'answer' }>,
): Promise<Outcome> {
  const { world, tool, context, request, id } = delivery;
  if (said.status === 'replayed') {
    const authorized = await authorizeStep(world, tool, context, request, record, 'replay');
    delivery.marks.push(authorized.mark);
    if (!authorized.allowed) {
      await note(delivery, 'rejected', { reason: 'unauthorized' });
      return bareOutcome(id.operation_key, 'rejected', 'unauthorized', 'none');
    }
  }
  const detail: Trace['detail'] = said.reason === null ? {} : { reason: said.reason };
  if (said.reason === 'fingerprint_mismatch') {
    detail['stored_fingerprint'] = record.request_fingerprint;
    detail['incoming_fingerprint'] = request.identity.fingerprint;
    if (world.fieldDigestKey !== null)
      detail['field_digests'] = fieldDigests(request.identity.material, world.fieldDigestKey);
  }
  await note(delivery, said.reason === 'expired_operation' ? 'expired_arrival' : said.status, detail);
  return answeredOutcome(withResult(world, record), said, tool.contract.version);
}

/** What was claimed without an approval that this process asks for is not run by it. */
const isKeptFrom = (world: World, tool: Tool, record: OperationRecord): boolean =>
  isManual(world, tool) || (isStricter(world, tool.contract.name) && !record.approval_required);

/**
 * A late arrival whose contract asks the system of record first: found is replayed, everything else is refused. It
 * never executes.
 */
async function answerLate(delivery: Delivery, record: OperationRecord): Promise<Outcome> {
  const { world, request } = delivery;
  const tool = reconcilerOf(world, record.tool_name, record.tool_version);
  const seen =
    tool?.lookup === undefined ? record : await lookAgain(world, tool, record, request.identity.redacted);
  const isFoundNow = seen.facts.evidence === 'found' && seen.status === 'applied' && !seen.facts.contradicted;
  return await answered(delivery, seen, isFoundNow ? LATE_REPLAY : LATE_REFUSAL);
}

const LATE: Omit<Extract<Answer, { do: 'answer' }>, 'status' | 'reason' | 'nextAction'> = {
  do: 'answer',
  reveals: true,
  safeToRepeat: false,
  repeated: true,
};
const LATE_REPLAY = { ...LATE, status: 'replayed', reason: null, nextAction: 'none' } as const;
const LATE_REFUSAL = {
  ...LATE,
  status: 'rejected',
  reason: 'expired_operation',
  nextAction: 'inspect_operation',
} as const;

async function attempt(delivery: Delivery, held: HeldAttempt): Promise<Outcome> {
  const { world, id } = delivery;
  try {
    const result = await performAttempt(world, held);
    if ('outcome' in result) return result.outcome;
    if ('record' in result) return await answerRecord(delivery, result.record, held.tool, result.own);
    const again = await retryable(delivery, result.notSent);
    return again === null ? notSentOutcome(result.notSent) : await answerRecord(delivery, again, held.tool);
  } catch (error) {
    // it may have happened, and the record says so already: pending in doubt, which recovery picks up
    world.warn(`the end of an attempt at ${id.operation_key} was not recorded`, error);
    return {
      ...bareOutcome(id.operation_key, 'unknown', 'no_answer', 'reconcile'),
      attempt: held.record.attempt,
    };
  }
}

/** The database's "due" is not before ours. */
const DUE_MARGIN_MS = 20;

/**
 * What provably did not happen is tried again by the same call, within the contract's `retry_within_seconds`: waits until
 * it is due and gives the record as it is then; null where the time, the attempts or the caller's patience are over.
 */
async function retryable(delivery: Delivery, record: OperationRecord): Promise<OperationRecord | null> {
  const { world, signal, retryUntil } = delivery;
  const waitMs = record.wait_ms + DUE_MARGIN_MS;
  if (!record.facts.attemptsLeft || world.clock.now() + waitMs > retryUntil || isAborted(signal)) return null;
  await new Promise<void>((resume) => {
    const cancel = world.clock.after(waitMs, resume);
    signal?.addEventListener('abort', () => (cancel(), resume()), { once: true });
  });
  // what cannot be read again was not sent either
  return isAborted(signal) ? null : await readOne(delivery).catch(() => null);
}

/** A function, since the signal may change while we wait. */
const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted ?? false;
