import postgres from 'postgres';
import { z } from 'zod';
import { executorSql } from '../db/client.ts';
import { ticketsCreateContract } from '../lib/demo/tools/tickets-create.ts';
import {
  createExecutor,
  defineContract,
  defineTool,
  postgresStore,
  type OperationContext,
} from '../lib/executor/index.ts';

/** The subject: `execute` and `status` as an application calls them, over the real store and the demo's contract. */
export interface Subject {
  firstCall: (step: string) => Promise<void>;
  replay: (step: string) => Promise<void>;
  mismatch: (step: string) => Promise<void>;
  status: (step: string) => Promise<void>;
  counts: () => Promise<{ applied: number; events: { [kind: string]: number } }>;
  close: () => Promise<void>;
}

const contextOf = (workflowId: string): OperationContext => ({
  tenantId: 'acme',
  environment: 'production',
  workflowId,
  stepId: 'create_ticket',
  actor: { id: 'agent:planner' },
});

const argumentsOf = (workflowId: string) => ({
  queue_id: 'support',
  subject: `Refund request ${workflowId}`,
  body: 'The customer was charged twice for one order and asks for the second charge back.',
  customer_id: 'cus_9s6XKzkNRiz8i3',
});

/**
 * @param connections of the executor's pool, as many as the floor has
 * @param effect the business effect: a function of this process, as the floor's is
 */
export async function openSubject(
  urls: { executor: string; superuser: string },
  connections: number,
  effect: () => string,
): Promise<Subject> {
  const tool = defineTool({
    contract: defineContract(ticketsCreateContract),
    input: z.strictObject({
      queue_id: z.string(),
      subject: z.string(),
      body: z.string(),
      customer_id: z.string(),
    }),
    effect: async ({ arguments: { subject, queue_id } }) => ({
      kind: 'done',
      answer: { id: effect(), status: 'open', subject, queue_id },
    }),
    lookup: async () => ({ answer: 'ambiguous', because: 'nothing is looked up here' }),
  });
  const executor = await createExecutor({
    environments: ['production'],
    store: postgresStore(executorSql(urls.executor, { max: connections })),
    tools: [tool],
    authorize: async () => ({ allowed: true, policyVersion: 'policy-1' }),
    worker: 'bench',
  });
  const sql = postgres(urls.superuser, { max: 1 });
  const call = async (workflowId: string, args: unknown, expected: string) => {
    const { status, reason } = await executor.execute(tool.contract.name, args, contextOf(workflowId));
    if (status !== expected) throw new Error(`${workflowId} was ${status} (${reason}), not ${expected}`);
  };
  return {
    firstCall: (step) => call(step, argumentsOf(step), 'applied'),
    replay: (step) => call(step, argumentsOf(step), 'replayed'),
    mismatch: (step) => call(step, argumentsOf(`not ${step}`), 'rejected'),
    status: async (step) => {
      const { status } = await executor.status(tool.contract.name, contextOf(step));
      if (status !== 'replayed') throw new Error(`the status of ${step} was ${status}`);
    },
    counts: async () => {
      const [row] =
        await sql`select count(*)::integer as n from public.tool_operations where status = 'applied'`;
      const kinds =
        await sql`select kind, count(*)::integer as n from public.tool_operation_events group by kind`;
      return {
        applied: row?.['n'] as number,
        events: Object.fromEntries(kinds.map(({ kind, n }) => [kind as string, n as number])),
      };
    },
    close: async () => {
      await executor.close();
      await sql.end();
    },
  };
}
