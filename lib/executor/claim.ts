import type { HeldAttempt } from './held-attempt.ts';
import type { Contract } from './contract/contract.ts';
import { readOne, type Delivery } from './delivery.ts';
import { fieldDigests } from './identity/fingerprint.ts';
import { downstreamKey } from './identity/operation-key.ts';
import type { ClaimRefusal, ClaimRow, OperationId, OperationRecord } from './ports.ts';
import { boundTo } from './replay-result.ts';
import type { Request } from './request.ts';
import { seal } from './sealing.ts';
import type { Tool } from './tool.ts';
import { isStricter, sendsWithClaim, stepsOf, traceOf, type Mark, type World } from './world.ts';

const newHeld = (delivery: Delivery, tool: Tool) => ({
  tool,
  context: delivery.context,
  request: delivery.request,
  leaseToken: delivery.world.random.uuid(),
  requestId: delivery.world.random.uuid(),
  startedAt: delivery.world.clock.now(),
});

/** What became of a claim: this worker's attempt, a record to answer from, or a refusal that shows none. */
export type Claimed =
  | { held: HeldAttempt }
  | { record: OperationRecord; /** This delivery made the row. */ own: boolean }
  | { refusal: ClaimRefusal };

/** Makes the operation's row, as an attempt that is sent in the same commit or as a request for approval, or loads it. */
export async function claim(delivery: Delivery, into: ClaimRow['into']): Promise<Claimed> {
  const { world, tool, id } = delivery;
  const held = newHeld(delivery, tool);
  const row = claimRow(delivery, held, into);
  try {
    const [claimed] = await world.store.claim([row]);
    if (claimed === undefined) throw new Error('the store answered nothing');
    if (claimed.record === null) return { refusal: claimed.refusal };
    const { record } = claimed;
    if (claimed.claimed && into === 'leased') return { held: { ...held, record } };
    return { record, own: claimed.claimed };
  } catch (error) {
    // a lost reply is read again by the token, which we chose; where nothing is found, nothing was claimed
    const record = await readOne(delivery);
    if (record === null) throw error;
    world.warn(`the reply to the claim of ${id.operation_key} was lost`, error);
    return record.lease_token === held.leaseToken ? { held: { ...held, record } } : { record, own: false };
  }
}

function claimRow(
  { world, tool, context, request, id, marks }: Delivery,
  held: Omit<HeldAttempt, 'record'>,
  into: ClaimRow['into'],
): ClaimRow {
  const { contract } = tool;
  const send = into === 'leased' && sendsWithClaim(contract);
  const trace = traceOf(world, context);
  if (world.fieldDigestKey !== null)
    trace.detail = {
      ...trace.detail,
      field_digests: fieldDigests(request.identity.material, world.fieldDigestKey),
    };
  return {
    ...id,
    into,
    approval_required: request.needsApproval || isStricter(world, contract.name),
    tool_name: contract.name,
    tool_version: contract.version,
    connector: contract.downstream.connector,
    deploy: world.deploy,
    request_fingerprint: request.identity.fingerprint,
    fingerprint_version: request.identity.fingerprintVersion,
    request_redacted: request.identity.redacted,
    request_sealed: sealedRequest(world, contract, request, id, context.actor.onBehalfOf !== undefined),
    intent_event: context.intentEvent ?? null,
    business_reference: context.businessReference ?? null,
    workflow_id: context.workflowId,
    step_id: context.stepId,
    actor: context.actor.id,
    lease_owner: world.worker,
    lease_token: held.leaseToken,
    send,
    downstream_key: downstreamKey(id.operation_key, contract.downstream.key),
    downstream_request_id: held.requestId,
    trace: { ...trace, steps: stepsOf(world, send ? [...marks, sentNow(world)] : marks) },
  };
}

const sentNow = (world: World): Mark => ({ step: 'sent', at: world.clock.now() });

/**
 * Kept only where the contract lets recovery send again, and the actor acts in its own name: whose rights were used
 * otherwise is known to a delivery alone.
 */
function sealedRequest(
  world: World,
  contract: Contract,
  request: Request,
  id: OperationId,
  onBehalf: boolean,
): string | null {
  if (contract.resend_by_recovery !== true || onBehalf) return null;
  if (world.sealing === null) throw new Error('a contract with resend_by_recovery needs sealing');
  return seal(world.sealing, request.identity.canonicalRequest, boundTo(id, 'request'));
}

/** Acquires a ready operation for one more attempt, sent in the same commit; otherwise the record as it is. */
export async function acquire(
  delivery: Delivery,
  before: OperationRecord,
  tool: Tool,
): Promise<{ held: HeldAttempt } | { record: OperationRecord }> {
  const { world, context, id, marks } = delivery;
  const held = newHeld(delivery, tool);
  const send = sendsWithClaim(tool.contract);
  const row = {
    ...id,
    lease_token: held.leaseToken,
    lease_owner: world.worker,
    deploy: world.deploy,
    send,
    downstream_key: downstreamKey(id.operation_key, tool.contract.downstream.key),
    downstream_request_id: held.requestId,
    trace: {
      ...traceOf(world, context),
      steps: stepsOf(world, send ? [...marks, sentNow(world)] : marks),
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
