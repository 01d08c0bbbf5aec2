import { z } from 'zod';
import { defineContract, defineTool, type ContractInput } from '../../executor/index.ts';
import { agentKey, aQuarter, asksAgain, faultTests } from './demo-practice.ts';
import { listByScope, lookUpByKey, sendEffect, type Wire } from './deskline-wire.ts';

export const paymentsChargeContract = {
  name: 'payments.charge',
  version: '2026-12-01',
  purpose: 'Charge one invoice once.',
  use_when: ['An invoice is due and its order is signed.'],
  do_not_use_when: [
    'You want to know whether an invoice was paid.',
    'An earlier charge of the invoice is still unknown.',
  ],
  effect_class: 'irreversible',
  effects: ['a charge on the customer’s card', 'a mailed receipt'],
  operation_key: { ...agentKey, new_key_on: 'A person approves another charge of the invoice.' },
  material: {
    amount: { rules: ['integer'] },
    currency: { rules: [] },
    invoice_id: { rules: [] },
    customer_id: { rules: [], sensitive: true, personal: true },
  },
  ignored: {},
  canonicalization_version: 1,
  downstream: {
    connector: 'deskline.payments',
    deduplicates: false,
    key: 'operation_key',
    call_budget_ms: 3_000,
    settle_seconds: 5,
    own_retries_off: true,
  },
  lookup: {
    by: 'operation_key',
    authoritative: false,
    deadline_seconds: 12,
    compare: { amount: 'amount', currency: 'currency', invoice_id: 'invoice_id' },
  },
  receipt: { field: 'id', required: true },
  postcondition: { amount: 'amount', currency: 'currency', invoice_id: 'invoice_id' },
  replay: { fields: ['id', 'status', 'note'], sensitive: [], max_bytes: 4_096 },
  attempts: { max: 3, backoff_seconds: 2 },
  lease_seconds: 4,
  retention_seconds: 90 * 86_400,
  retention: aQuarter,
  late_arrival: 'reject',
  security: asksAgain,
  approval: {
    not_needed_because: 'Charges follow a signed order; the amount is bounded by it.',
    signed_by: 'Payments risk, 2026-08-18',
  },
  decision: 'automate',
  tests: faultTests,
  faults: { max_age_days: 30 },
  duplicate_cost: 'high',
  owner: { team: 'Payments' },
  response_seconds: 900,
  target_label: 'invoice_id',
  cost_of_duplicate: 'The customer is charged twice for one invoice.',
  cost_of_missing: 'The customer is never charged.',
  next_review: '2027-03-01',
} satisfies ContractInput;

/** Deskline neither deduplicates payments nor answers for them with authority: a person decides on what it shows. */
export const paymentsCharge = (wire: Wire, change: Partial<ContractInput> = {}) =>
  defineTool({
    contract: defineContract({ ...paymentsChargeContract, ...change }),
    input: z.strictObject({
      amount: z.int().positive(),
      currency: z.string().length(3),
      invoice_id: z.string(),
      customer_id: z.string(),
    }),
    effect: (call) => sendEffect(wire, '/payments', call, call.arguments),
    lookup: (question) => lookUpByKey(wire, 'payments', question),
    listEffects: (question) => listByScope(wire, 'payments', question),
  });
