import type { HeldAttempt } from './attempt.ts';
import { readOne, type Delivery } from './delivery.ts';
import { fieldDigests } from './identity/fingerprint.ts';
import { downstreamKey } from './identity/operation-key.ts';
import type { ClaimRow, OperationRecord } from './ports.ts';
import type { Tool } from './tool.ts';
import { stepsOf, traceOf } from './world.ts';

const newHeld = (delivery: Delivery, tool: Tool) => ({
  tool,
  context: delivery.context,
  request: delivery.request,
  leaseToken: delivery.world.random.uuid(),
  requestId: delivery.world.random.uuid(),
  startedAt: delivery.world.clock.now(),
});

/** Claims a new operation and sends it in the same commit, or loads the one that is there. */
export async function claim(
  delivery: Delivery,
): Promise<{ held: HeldAttempt | null; record: OperationRecord }> {
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

/** Acquires a ready operation for one more attempt, sent in the same commit; otherwise the record as it is. */
export async function acquire(
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
