import { z } from 'zod';
import postgres from 'postgres';
import { executorSql } from '../db/client.ts';
import { ticketsCreateContract } from '../lib/demo/tools/tickets-create.ts';
import {
  createExecutor,
  defineContract,
  defineTool,
  postgresStore,
  type Executor,
  type OperationContext,
} from '../lib/executor/index.ts';

/** The subject: `execute` as an application calls it, on the real store. */
export interface Subject {
  firstCall: (step: string) => Promise<void>;
  replay: (step: string) => Promise<void>;
  mismatch: (step: string) => Promise<void>;
  status: (step: string) => Promise<void>;
  counts: () => Promise<{ applied: number; events: { [kind: string]: number } }>;
  executor: Executor;
  close: () => Promise<void>;
}

export const contextOf = (step: string): OperationContext => {
  const [workflowId = '', stepId = ''] = step.split(':');
  return { tenantId: 'acme', environment: 'production', workflowId, stepId, actor: { id: 'agent:planner' } };
};

const argumentsOf = (step: string) => ({
  queue_id: 'support',
  subject: `Refund request ${step}`,
  body: 'The customer was charged twice for one order and asks for the second charge back.',
  customer_id: 'cus_9s6XKzkNRiz8i3',
});

export async function openSubject(
  urls: { executor: string; superuser: string },
  connections: number,
  effect: () => string,
  options: { merge?: boolean } = {},
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
    store: postgresStore(executorSql(urls.executor, { max: connections })),
    tools: [tool],
    authorize: async () => ({ allowed: true, policyVersion: 'policy-1' }),
    worker: 'bench',
    ...options,
  });
  const sql = postgres(urls.superuser, { max: 1 });
  const call = async (step: string, args: unknown, expected: string) => {
    const { status, reason } = await executor.execute(tool.contract.name, args, contextOf(step));
    if (status !== expected) throw new Error(`${step} was ${status}${reason === undefined ? '' : ` (${reason})`}, not ${expected}`);
  };
  return {
    executor,
    firstCall: (step) => call(step, argumentsOf(step), 'applied'),
    replay: (step) => call(step, argumentsOf(step), 'replayed'),
    mismatch: (step) => call(step, argumentsOf(`not ${step}`), 'rejected'),
    status: async (step) => {
      const { status } = await executor.status(tool.contract.name, contextOf(step));
      if (status !== 'replayed') throw new Error(`the status of ${step} was ${status}`);
    },
    counts: async () => {
      const [row] = await sql`select count(*)::integer as n from public.tool_operations where status = 'applied'`;
      const kinds = await sql`select kind, count(*)::integer as n from public.tool_operation_events group by kind`;
      return {
        applied: row?.['n'] as number,
        events: Object.fromEntries(kinds.map(({ kind, n }) => [kind as string, n as number])),
      };
    },
    close: () => sql.end(),
  };
}
