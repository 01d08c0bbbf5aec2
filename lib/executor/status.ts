import { answer, type Answer } from '../domain/answer.ts';
import type { Outcome } from '../domain/outcome.ts';
import { authorizeStep } from './authorization.ts';
import type { OperationContext } from './context.ts';
import { deliveryFacts, isMatch, note, readOne } from './delivery.ts';
import { isSuccessorOf, VERSION_NOT_HELD } from './execute.ts';
import { InvalidArguments } from './identity/invalid-arguments.ts';
import { operationKey } from './identity/operation-key.ts';
import { answeredOutcome, bareOutcome, invalidOutcome, notSentOutcome } from './outcome-of.ts';
import type { OperationRecord } from './ports.ts';
import { withResult } from './replay-result.ts';
import { readRequest, type Request } from './request.ts';
import type { Tool } from './tool.ts';
import { assertServed, isManual, toolOf, type Mark, type World } from './world.ts';

/**
 * What became of a step, without doing anything about it. By the key alone it tells status and next action; with the
 * arguments of the call it tells reference and result too, if they match. Authorization is asked either way.
 */
export async function status(
  world: World,
  tool: Tool,
  context: OperationContext,
  args?: unknown,
): Promise<Outcome> {
  const proposed: Mark = { step: 'proposed', at: world.clock.now() };
  let key = '';
  let request: Request | null = null;
  try {
    const baseKey = operationKey(context);
    assertServed(world, context.environment);
    key = context.successorKey ?? baseKey;
    if (context.successorKey !== undefined && !isSuccessorOf(context.successorKey, baseKey))
      return bareOutcome(baseKey, 'rejected', 'superseded', 'inspect_operation');
    if (args !== undefined) request = await readRequest(tool, context.tenantId, args);
  } catch (error) {
    if (error instanceof InvalidArguments) return invalidOutcome(key, error);
    throw error;
  }
  const id = { tenant_id: context.tenantId, environment: context.environment, operation_key: key };
  const authorized = await authorizeStep(
    world,
    tool,
    context,
    request,
    { operation_key: key, attempt: 0 },
    'status',
  );
  const asked = { world, context, id, marks: [proposed, authorized.mark] };
  if (!authorized.allowed) {
    await note(asked, 'rejected', { reason: 'unauthorized' });
    return bareOutcome(key, 'rejected', 'unauthorized', 'none');
  }
  const record = await readOne(asked);
  // nothing is known under this key: nothing was sent, and the call may be delivered
  if (record === null)
    return { ...bareOutcome(key, 'rejected', 'not_sent', 'retry_later'), safe_to_repeat: true };
  await note(asked, 'polled', {});
  const matches =
    request === null
      ? record.tool_name === tool.contract.name
      : await isMatch({ world, context, tool, request }, record);
  const held = toolOf(world, record.tool_name, record.tool_version);
  if (matches === null) return answeredOutcome(record, VERSION_NOT_HELD, tool.contract.version);
  const facts = {
    ...record.facts,
    versionHeld: held !== undefined,
    manual: record.facts.manual || (held !== undefined && isManual(world, held)),
  };
  const outcome = statusOf(
    withResult(world, record),
    answer(facts, deliveryFacts(tool, record, matches)),
    tool.contract.version,
  );
  return request === null ? withoutResult(outcome) : outcome;
}

/** What a delivery would do is only told. */
function statusOf(record: OperationRecord, said: Answer, version: string): Outcome {
  const key = record.operation_key;
  switch (said.do) {
    case 'answer':
      return answeredOutcome(record, said, version);
    case 'acquire':
      return notSentOutcome(record);
    case 'request_approval':
      return bareOutcome(key, 'rejected', 'approval_required', 'ask_for_approval');
    case 'reconcile_first':
      return bareOutcome(key, 'rejected', 'expired_operation', 'inspect_operation');
    case 'expire':
    case 'claim':
      return bareOutcome(key, 'in_flight', 'recovering', 'poll');
  }
}

/** The key alone proves no knowledge of the request. */
function withoutResult({ first_recorded_at: _time, ...outcome }: Outcome): Outcome {
  return { ...outcome, effect_reference: null, result: null };
}
