import { sendEffect, type Wire } from '../../demo/tools/deskline-wire.ts';
import { ticketsCreate, ticketsCreateContract } from '../../demo/tools/tickets-create.ts';
import { defineContract, defineTool, type ContractInput, type LookupAnswer, type Tool } from '../index.ts';
import { newVersion, type Bench } from './bench.ts';

/** A downstream that answers a write with a job and files its ticket at Deskline when the job is done. */
export type JobDesk = {
  tool: Tool;
  /** The jobs that were accepted, by the key that asked for them; two for one key are two orders. */
  accepted: string[];
  /** What each poll asked by. */
  polls: { jobId: string | null; key: string }[];
  /** Does the work of a key's job; answers its ticket. */
  finish: (key: string) => Promise<string>;
  /** What a poll of this key is told from now on. */
  tell: (key: string, answer: LookupAnswer | Error) => void;
};

export function jobDesk(
  bench: Bench,
  change: Partial<ContractInput> = {},
  wire: Wire = { url: bench.deskline.url },
): JobDesk {
  const told = new Map<string, LookupAnswer | Error>();
  const orders = new Map<string, unknown>();
  const desk: Omit<JobDesk, 'tool'> = {
    accepted: [],
    polls: [],
    tell: (key, answer) => void told.set(key, answer),
    finish: async (key) => {
      const signal = AbortSignal.timeout(10_000);
      const call = { downstreamKey: key, requestId: key, attempt: 1, tenantId: '', environment: '', signal };
      const sent = await sendEffect(wire, '/tickets', { ...call, arguments: null }, orders.get(key));
      const record = (sent.kind === 'done' ? sent.answer : {}) as { id: string };
      told.set(key, { answer: 'found', reference: record.id, record });
      return record.id;
    },
  };
  const { contract, input }: Tool = ticketsCreate(wire);
  const { lookup: _none, version: _version, ...plain } = ticketsCreateContract;
  const tool = defineTool({
    contract: defineContract({
      ...plain,
      version: newVersion(),
      name: contract.name,
      downstream: {
        connector: 'deskline.jobs',
        key: 'operation_key',
        call_budget_ms: 3_000,
        settle_seconds: 1,
        own_retries_off: true,
        deduplicates: false,
      },
      job_seconds: 120,
      require_intent: 'never',
      ...change,
    }),
    input,
    effect: async (call) => {
      desk.accepted.push(call.downstreamKey);
      orders.set(call.downstreamKey, call.arguments);
      return { kind: 'accepted', jobId: `job_${desk.accepted.length}` };
    },
    pollJob: async ({ providerJobId, downstreamKey }) => {
      desk.polls.push({ jobId: providerJobId, key: downstreamKey });
      const answer = told.get(downstreamKey) ?? { answer: 'pending' };
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { ...desk, tool };
}
