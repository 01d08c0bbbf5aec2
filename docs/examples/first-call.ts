import { createExecutor, type Outcome, type Store } from '../../lib/executor/index.ts';
import { firstTool } from './first-tool.ts';

/** Performs one step of a workflow; delivered again, the same step returns the first result. */
export async function firstCall(store: Store, url: string, workflowId: string): Promise<Outcome> {
  const executor = await createExecutor({
    environments: ['production'],
    store, // postgresStore(sql)
    tools: [firstTool(url)],
    authorize: async ({ actor }) => ({ allowed: actor.id.startsWith('agent:'), policyVersion: '1' }),
  });
  const args = { subject: 'Refund request', body: 'A duplicate charge.', customer_id: 'cus_1' }; // the model's
  const outcome = await executor.execute('tickets.create', args, {
    tenantId: 'acme', // all of it the application's own knowledge
    environment: 'production',
    workflowId,
    stepId: 'open-ticket',
    actor: { id: 'agent:support' },
  });
  await executor.close();
  return outcome;
}
