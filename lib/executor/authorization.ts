import type { AuthorizationQuestion, OperationContext } from './context.ts';
import type { OperationRecord } from './ports.ts';
import type { Request } from './request.ts';
import type { Tool } from './tool.ts';
import type { Mark, World } from './world.ts';

export interface AuthorizedStep {
  allowed: boolean;
  permanent: boolean;
  mark: Mark;
}

/** Asks the application's policy as it is now; what it throws denies. The answer goes into the trace. */
export async function authorizeStep(
  world: World,
  tool: Tool,
  context: OperationContext,
  request: Request | null,
  operation: Pick<OperationRecord, 'operation_key' | 'attempt'>,
  phase: AuthorizationQuestion['phase'],
): Promise<AuthorizedStep> {
  let allowed = false;
  let permanent = false;
  let policy = 'none';
  const askedAt = world.clock.now();
  try {
    const answer = await world.authorize({
      phase,
      tool: tool.contract.name,
      toolVersion: tool.contract.version,
      actor: context.actor,
      tenantId: context.tenantId,
      environment: context.environment,
      operationKey: operation.operation_key,
      workflowId: context.workflowId,
      stepId: context.stepId,
      material: request?.identity.material ?? {},
      attempt: operation.attempt,
    });
    const given: { allowed: unknown; permanent?: unknown } = answer;
    allowed = given.allowed === true; // nothing else that looks true permits
    permanent = given.permanent === true;
    policy = answer.policyVersion;
  } catch (error) {
    world.warn('authorize threw, which denies', error);
  }
  const detail = { phase, actor: context.actor.id, policy, allowed };
  return { allowed, permanent, mark: { step: 'authorized', at: askedAt, detail } };
}
