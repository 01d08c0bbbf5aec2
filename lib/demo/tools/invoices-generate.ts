import { z } from 'zod';
import { defineContract, defineTool, type ContractInput } from '../../executor/index.ts';
import { agentKey, aQuarter, asksAgain, faultTests } from './demo-practice.ts';
import { listByScope, lookUpDelayed, pollJobById, sendEffect, type Wire } from './deskline-wire.ts';

const invoicesGenerateContract = {
  name: 'invoices.generate',
  version: '2026-12-01',
  purpose: 'Issue one invoice for one order.',
  use_when: ['An order was delivered and has no invoice yet.'],
  do_not_use_when: ['You want to know whether an invoice exists.', 'An invoice is to be corrected.'],
  effect_class: 'key_based',
  effects: ['an invoice in the books', 'a mailed copy for the customer'],
  operation_key: { ...agentKey, new_key_on: 'Another order is delivered: the workflow opens a new step.' },
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
  retention: aQuarter,
  late_arrival: 'tombstone',
  security: asksAgain,
  decision: 'automate',
  tests: { ...faultTests, delayed_job: ['T1.9', 'T2.9'] },
  faults: { max_age_days: 30 },
  duplicate_cost: 'medium',
  owner: { team: 'Billing' },
  response_seconds: 3_600,
  target_label: 'order_id',
  cost_of_duplicate: 'The customer is invoiced twice for one order.',
  cost_of_missing: 'The order is never paid.',
  next_review: '2027-06-01',
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
    listEffects: (question) => listByScope(wire, 'invoices', question),
  });
