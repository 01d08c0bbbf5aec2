import type { OperationContext } from './context.ts';
import type { OperationId, OperationRecord } from './ports.ts';
import type { Request } from './request.ts';
import type { Tool } from './tool.ts';

/** An attempt that this worker holds: claimed or acquired. */
export interface HeldAttempt {
  tool: Tool;
  context: OperationContext;
  request: Request;
  record: OperationRecord;
  leaseToken: string;
  requestId: string;
  /** The worker's timer, started before claim or acquire was issued; milliseconds. */
  startedAt: number;
}

export const idOf = ({ tenant_id, environment, operation_key }: OperationRecord): OperationId => ({
  tenant_id,
  environment,
  operation_key,
});
