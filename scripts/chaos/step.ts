import { operationKey, type OperationContext } from '../../lib/executor/index.ts';
import { KINDS, type Kind } from './tools.ts';

/** One intended action of one kind of tool. */
export interface Step {
  kind: Kind;
  key: string;
  context: OperationContext;
}

/** The i-th step; kinds and tenants take turns. */
export function stepOf(i: number): Step {
  const kind = KINDS[i % KINDS.length] as Kind;
  const context = {
    tenantId: `tenant_${i % 5}`,
    environment: 'production',
    workflowId: `run_${i}`,
    stepId: kind,
    actor: { id: 'agent:chaos' },
  };
  return { kind, context, key: operationKey(context) };
}
