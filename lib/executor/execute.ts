import { answer, type Answer } from '../domain/answer.ts';
import { NO_OPERATION, type Facts } from '../domain/facts.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { NextAction, OutcomeReason, OutcomeStatus } from '../domain/states.ts';
import { performAttempt, type HeldAttempt } from './attempt.ts';
import { authorizeStep } from './authorization.ts';
import type { OperationContext } from './context.ts';
import { capabilitiesOf } from './contract/capabilities.ts';
import { readContract } from './contract/define-contract.ts';
import { fieldDigests, fingerprint } from './identity/fingerprint.ts';
import { InvalidArguments } from './identity/invalid-arguments.ts';
import { downstreamKey, operationKey } from './identity/operation-key.ts';
import { answeredOutcome, bareOutcome, invalidOutcome } from './outcome-of.ts';
import type { ClaimRow, OperationId, OperationRecord, Trace } from './ports.ts';
import { readRequest, type Request } from './request.ts';
import type { Tool } from './tool.ts';
import { stepsOf, toolOf, traceOf, type Mark, type World } from './world.ts';

/** One delivery on its way; `marks` are its steps so far. */
interface Delivery {
  world: World;
  tool: Tool;
  context: OperationContext;
  request: Request;
  id: OperationId;
  marks: Mark[];
}

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
    if (context.successorKey !== undefined && !isSuccessorOf(context.successorKey, baseKey))
      return bareOutcome(baseKey, 'rejected', 'superseded', 'inspect_operation');
    request = await readRequest(tool, context.tenantId, args);
  } catch (error) {
    if (error instanceof InvalidArguments) return invalidOutcome(baseKey, error);
    throw error;
  }
  const delivery: Delivery = {
    world,
    tool,
    context,
    request,
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
  return await deliver(delivery);
}

const isSuccessorOf = (key: string, baseKey: string) =>
  key.startsWith(`${baseKey}!`) && /^\d+$/.test(key.slice(baseKey.length + 1));

async function deliver(delivery: Delivery): Promise<Outcome> {
  const { tool, context } = delivery;
  let record: OperationRecord | null;
  if (context.successorKey === undefined) {
    const first = answerNew(delivery);
    if (first.do === 'answer') {
      // a key that exists is answered by its record; only a new one is refused here
      record = await readOne(delivery);
      if (record === null) return await refusedNew(delivery, first.status, first.reason, first.nextAction);
    } else {
      const claimed = await claim(delivery);
      if (claimed.held !== null) return await attempt(delivery, claimed.held);
      record = claimed.record;
    }
  } else {
    // a successor is created by a decision, never by a delivery
    record = await readOne(delivery);
    if (record === null || record.supersedes_key === null)
      return await refusedNew(delivery, 'rejected', 'superseded', 'inspect_operation');
  }
  return await answerRecord(delivery, record, tool);
}

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
  const held = toolOf(world, record.tool_name, record.tool_version);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const said = answer(
      { ...record.facts, versionHeld: held !== undefined },
      deliveryFacts(tool, record, matches),
    );
    switch (said.do) {
      case 'answer':
        // the event that this delivery wrote is its row of the trace
        if (own) return answeredOutcome(record, { ...said, repeated: false }, delivery.tool.contract.version);
        return await answered(delivery, record, said);
      case 'acquire': {
        const acquired = await acquire(delivery, record, held ?? tool);
        if ('held' in acquired) return await attempt(delivery, acquired.held);
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
      case 'claim':
      case 'request_approval':
      case 'reconcile_first':
        // contracts that ask for these are refused at registration until the executor performs them
        throw new Error(`a stored operation answered ${said.do}`);
    }
  }
  return await answered(delivery, record, BUSY);
}

const BUSY: Extract<Answer, { do: 'answer' }> = {
  do: 'answer',
  status: 'in_flight',
  reason: 'leased',
  nextAction: 'poll',
  reveals: true,
  safeToRepeat: false,
  repeated: false,
};

function answerNew({ tool }: Delivery): Answer {
  const { contract } = tool;
  const facts: Facts = {
    ...NO_OPERATION,
    manual: contract.decision === 'manual',
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

const deliveryFacts = (tool: Tool, record: OperationRecord, matches: boolean) => ({
  authorized: true,
  matches,
  consumer: false,
  lateArrival: tool.contract.late_arrival,
  storedReason: record.reason,
});

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
  await note(delivery, said.status, detail);
  return answeredOutcome(record, said, tool.contract.version);
}

/** Same tool, and the same fingerprint under the record's own contract and fingerprint version (DESIGN §5). */
async function isMatch(
  { world, tool, request, context }: Delivery,
  record: OperationRecord,
): Promise<boolean> {
  if (record.tool_name !== tool.contract.name || record.facts.adopted) return false;
  if (
    record.tool_version === tool.contract.version &&
    record.fingerprint_version === request.identity.fingerprintVersion
  )
    return record.request_fingerprint === request.identity.fingerprint;
  const [body] = await world.store.readContracts([{ name: record.tool_name, version: record.tool_version }]);
  if (body === undefined || body === null) return false;
  try {
    const stored = fingerprint(
      readContract(body),
      context.tenantId,
      request.args,
      record.fingerprint_version,
    );
    return stored.fingerprint === record.request_fingerprint;
  } catch {
    return false; // arguments that the old contract could not have taken are another request
  }
}

async function attempt(delivery: Delivery, held: HeldAttempt): Promise<Outcome> {
  try {
    const result = await performAttempt(delivery.world, held);
    if ('outcome' in result) return result.outcome;
    return await answerRecord(delivery, result.record, held.tool, result.own);
  } catch (error) {
    // it may have happened, and the record says so already: pending in doubt, which recovery picks up
    delivery.world.warn(`the end of an attempt at ${delivery.id.operation_key} was not recorded`, error);
    return {
      ...bareOutcome(delivery.id.operation_key, 'unknown', 'no_answer', 'reconcile'),
      attempt: held.record.attempt,
    };
  }
}

const newHeld = (delivery: Delivery, tool: Tool) => ({
  tool,
  context: delivery.context,
  request: delivery.request,
  leaseToken: delivery.world.random.uuid(),
  requestId: delivery.world.random.uuid(),
  startedAt: delivery.world.clock.now(),
});

async function claim(delivery: Delivery): Promise<{ held: HeldAttempt | null; record: OperationRecord }> {
  const { world, tool, id } = delivery;
  const held = newHeld(delivery, tool);
  const row = claimRow(delivery, held);
  try {
    const [claimed] = await world.store.claim([row]);
    if (claimed === undefined) throw new Error('the store answered nothing');
    return { held: claimed.claimed ? { ...held, record: claimed.record } : null, record: claimed.record };
  } catch (error) {
    // a lost reply is read again by the token, which we chose; where nothing is found, nothing was claimed
    const record = await readOne(delivery);
    if (record === null) throw error;
    world.warn(`the reply to the claim of ${id.operation_key} was lost`, error);
    return { held: record.lease_token === held.leaseToken ? { ...held, record } : null, record };
  }
}

function claimRow(
  { world, tool, context, request, id, marks }: Delivery,
  held: Omit<HeldAttempt, 'record'>,
): ClaimRow {
  const { contract } = tool;
  const trace = {
    ...traceOf(world, context),
    steps: stepsOf(world, [...marks, { step: 'sent', at: world.clock.now() }]),
  };
  if (world.fieldDigestKey !== null)
    trace.detail = {
      ...trace.detail,
      field_digests: fieldDigests(request.identity.material, world.fieldDigestKey),
    };
  return {
    ...id,
    tool_name: contract.name,
    tool_version: contract.version,
    connector: contract.downstream.connector,
    deploy: world.deploy,
    request_fingerprint: request.identity.fingerprint,
    fingerprint_version: request.identity.fingerprintVersion,
    request_redacted: request.identity.redacted,
    intent_event: context.intentEvent ?? null,
    business_reference: context.businessReference ?? null,
    workflow_id: context.workflowId,
    step_id: context.stepId,
    actor: context.actor.id,
    lease_owner: world.worker,
    lease_token: held.leaseToken,
    send: true,
    downstream_key: downstreamKey(id.operation_key, contract.downstream.key),
    downstream_request_id: held.requestId,
    trace,
  };
}

async function acquire(
  delivery: Delivery,
  before: OperationRecord,
  tool: Tool,
): Promise<{ held: HeldAttempt } | { record: OperationRecord }> {
  const { world, context, id, marks } = delivery;
  const held = newHeld(delivery, tool);
  const row = {
    ...id,
    lease_token: held.leaseToken,
    lease_owner: world.worker,
    deploy: world.deploy,
    send: true,
    downstream_key: downstreamKey(id.operation_key, tool.contract.downstream.key),
    downstream_request_id: held.requestId,
    trace: {
      ...traceOf(world, context),
      steps: stepsOf(world, [...marks, { step: 'sent', at: world.clock.now() }]),
    },
  };
  let record: OperationRecord | null | undefined;
  try {
    const [acquired] = await world.store.transition('acquire', [row]);
    record = acquired?.record;
  } catch (error) {
    world.warn(`the reply to the acquisition of ${id.operation_key} was lost`, error);
    record = await readOne(delivery);
  }
  if (record === null || record === undefined) return { record: before };
  return record.lease_token === held.leaseToken ? { held: { ...held, record } } : { record };
}

async function readOne({ world, id }: Delivery): Promise<OperationRecord | null> {
  const [record] = await world.store.read([id]);
  return record ?? null;
}

/** A delivery that changes nothing is a row of the trace too; an answer is not withheld because the row failed. */
async function note(
  { world, context, id, marks }: Delivery,
  kind: string,
  detail: { [name: string]: string } | NonNullable<Trace['detail']>,
): Promise<void> {
  const trace = traceOf(world, context);
  await world.store
    .addEvents([
      {
        ...id,
        kind,
        trace: {
          ...trace,
          steps: stepsOf(world, marks),
          detail: { ...trace.detail, ...detail, reason: detail['reason'] ?? null },
        },
      },
    ])
    .catch((error: unknown) => world.warn('a delivery was not traced', error));
}
