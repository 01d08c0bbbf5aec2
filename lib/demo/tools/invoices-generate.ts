import { z } from 'zod';
import { defineContract, defineTool, type ContractInput } from '../../executor/index.ts';
import { lookUpDelayed, pollJobById, sendEffect, type Wire } from './deskline-wire.ts';

const invoicesGenerateContract = {
  name: 'invoices.generate',
  version: '2026-08-18',
  purpose: 'Issue one invoice for one order.',
  effect_class: 'key_based',
  effects: ['an invoice in the books', 'a mailed copy for the customer'],
  material: {
    order_id: { rules: [] },
    amount: { rules: ['integer'] },
    currency: { rules: [] },
    customer_id: { rules: [], sensitive: true, personal: true },
  },
  ignored: {},
  canonicalization_version: 1,
  downstream: {
    connector: 'deskline.invoices',
    deduplicates: true,
    key: 'operation_key',
    key_window_seconds: 86_400,
    call_budget_ms: 3_000,
    settle_seconds: 1,
    own_retries_off: true,
  },
  lookup: {
    by: 'operation_key',
    authoritative: true,
    deadline_seconds: 30,
    compare: { order_id: 'order_id', amount: 'amount' },
  },
  receipt: { field: 'id', required: true },
  postcondition: { order_id: 'order_id', amount: 'amount' },
  replay: { fields: ['id', 'status', 'note'], sensitive: [], max_bytes: 4_096 },
  attempts: { max: 3, backoff_seconds: 2 },
  lease_seconds: 4,
  job_seconds: 10,
  job_poll: 'job_id',
  retention_seconds: 90 * 86_400,
  late_arrival: 'tombstone',
  decision: 'automate',
  owner: { team: 'Billing' },
  response_seconds: 3_600,
  target_label: 'order_id',
  cost_of_duplicate: 'The customer is invoiced twice for one order.',
  cost_of_missing: 'The order is never paid.',
} satisfies ContractInput;

/** Deskline accepts an invoice as a job, one for each key; the invoice is there when the job has succeeded. */
export const invoicesGenerate = (wire: Wire, change: Partial<ContractInput> = {}) =>
  defineTool({
    contract: defineContract({ ...invoicesGenerateContract, ...change }),
    input: z.strictObject({
      order_id: z.string(),
      amount: z.int().positive(),
      currency: z.string().length(3),
      customer_id: z.string(),
    }),
    effect: (call) => sendEffect(wire, '/invoices', call, call.arguments),
    lookup: (question) => lookUpDelayed(wire, 'invoices', question),
    pollJob: (question) => pollJobById(wire, question),
  });
