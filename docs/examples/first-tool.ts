import { z } from 'zod';
import { callHttp, defineContract, defineTool } from '../../lib/executor/index.ts';

const times = { lease_seconds: 10, recovery_seconds: 60, retention_seconds: 2_592_000 };
const deskline = { connector: 'deskline', deduplicates: true, key_window_seconds: 86_400, settle_seconds: 1 };
const contract = defineContract({
  name: 'tickets.create',
  version: '1',
  purpose: 'Create one support ticket for one step of a workflow.',
  effect_class: 'key_based',
  effects: ['a ticket in the queue', 'an e-mail to the customer'],
  material: { subject: { rules: [] }, body: { rules: [] }, customer_id: { rules: [], sensitive: true } },
  ignored: {},
  canonicalization_version: 1,
  downstream: { ...deskline, key: 'operation_key', call_budget_ms: 5_000, own_retries_off: true },
  receipt: { field: 'id', required: true },
  replay: { fields: ['id', 'status'], sensitive: [], max_bytes: 4_096 },
  attempts: { max: 3, backoff_seconds: 2 },
  ...times,
  late_arrival: 'tombstone',
  decision: 'automate',
  owner: { team: 'Support operations' },
  response_seconds: 3_600,
  cost_of_duplicate: 'The customer gets two tickets and two e-mails about one issue.',
  cost_of_missing: 'Nobody works on the issue.',
});

export const firstTool = (url: string) =>
  defineTool({
    contract,
    input: z.strictObject({ subject: z.string(), body: z.string(), customer_id: z.string() }),
    effect: async ({ arguments: args, downstreamKey, signal }) => {
      const [headers, body] = [{ 'idempotency-key': downstreamKey }, { queue_id: 'support', ...args }];
      const answer = await callHttp(`${url}/tickets`, { method: 'POST', headers, body, signal });
      if (answer.status === 201) return { kind: 'done', answer: answer.body };
      return { kind: 'unclear', because: `status ${answer.status}` }; // it may have happened
    },
  });
