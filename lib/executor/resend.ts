import { performAttempt } from './attempt.ts';
import type { OperationContext } from './context.ts';
import { idOf } from './held-attempt.ts';
import { needsApproval } from './approval.ts';
import { fingerprint } from './identity/fingerprint.ts';
import { downstreamKey } from './identity/operation-key.ts';
import type { PlainJson } from './identity/plain-json.ts';
import { dutyTrace } from './lookup.ts';
import type { OperationRecord } from './ports.ts';
import { boundTo } from './replay-result.ts';
import type { Request } from './request.ts';
import { open } from './sealing.ts';
import type { Tool } from './tool.ts';
import { isManual, isStricter, sendsWithClaim, served, toolOf, type World } from './world.ts';

/**
 * Performs the next attempt of what is ready and due, where the contract says `resend_by_recovery`: with the sealed
 * request, for the actor of the operation, who is authorized again. Only material fields were sealed, so only those are
 * sent. Any number of workers: acquire decides. Answers how many attempts were made.
 */
export async function resendReady(world: World, limit: number): Promise<number> {
  const sending = [...new Set(world.tools.values())].filter(
    (tool) =>
      tool.contract.resend_by_recovery === true &&
      !isManual(world, tool) &&
      !isStricter(world, tool.contract.name),
  );
  if (sending.length === 0) return 0;
  const versions = sending.map(({ contract: { name, version } }) => ({ name, version }));
  const ready = await world.store.resendable(served(world, versions), limit);
  const made = await Promise.all(
    ready.map((record) =>
      resendOne(world, record).catch((error: unknown) => {
        world.warn(`sending ${record.operation_key} again failed`, error);
        return false;
      }),
    ),
  );
  return made.filter(Boolean).length;
}

async function resendOne(world: World, record: OperationRecord): Promise<boolean> {
  const tool = toolOf(world, record.tool_name, record.tool_version);
  if (tool === undefined) return false;
  const request = openedRequest(world, tool, record);
  const leaseToken = world.random.uuid();
  const requestId = world.random.uuid();
  const startedAt = world.clock.now();
  const [acquired] = await world.store.transition('acquire', [
    {
      ...idOf(record),
      lease_token: leaseToken,
      lease_owner: world.worker,
      deploy: world.deploy,
      send: sendsWithClaim(tool.contract),
      downstream_key: downstreamKey(record.operation_key, tool.contract.downstream.key),
      downstream_request_id: requestId,
      trace: dutyTrace(world, 'reconcile'),
    },
  ]);
  if (acquired?.refusal !== null || acquired.record === null) return false;
  await performAttempt(world, {
    tool,
    context: contextOf(record),
    request,
    record: acquired.record,
    leaseToken,
    requestId,
    startedAt,
  });
  return true;
}

/** @throws when it cannot be opened, or is not what the operation was claimed for */
function openedRequest(world: World, tool: Tool, record: OperationRecord): Request {
  if (world.sealing === null || record.request_sealed === null)
    throw new Error('nothing sealed can be opened');
  const text = open(world.sealing, record.request_sealed, boundTo(record, 'request'));
  const { material } = JSON.parse(text) as { material: { readonly [field: string]: PlainJson } };
  const identity = fingerprint(tool.contract, record.tenant_id, material, record.fingerprint_version);
  if (identity.fingerprint !== record.request_fingerprint)
    throw new Error('the sealed request has another fingerprint than the operation');
  return { args: material, identity, needsApproval: needsApproval(tool.contract, identity.material) };
}

const contextOf = (record: OperationRecord): OperationContext => ({
  tenantId: record.tenant_id,
  environment: record.environment,
  workflowId: record.workflow_id ?? '',
  stepId: record.step_id ?? '',
  actor: { id: record.actor ?? 'unknown' },
});
