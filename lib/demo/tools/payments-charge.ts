import { z } from 'zod';
import { defineContract, defineTool, type ContractInput } from '../../executor/index.ts';
import { listByScope, lookUpByKey, sendEffect, type Wire } from './deskline-wire.ts';

export const paymentsChargeContract = {
  name: 'payments.charge',
  version: '2026-08-18',
  purpose: 'Charge one invoice once.',
  effect_class: 'irreversible',
  effects: ['a charge on the customer’s card', 'a mailed receipt'],
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
  late_arrival: 'reject',
  approval: {
    not_needed_because: 'Charges follow a signed order; the amount is bounded by it.',
    signed_by: 'Payments risk, 2026-08-18',
  },
  decision: 'automate',
  owner: { team: 'Payments' },
  response_seconds: 900,
  target_label: 'invoice_id',
  cost_of_duplicate: 'The customer is charged twice for one invoice.',
  cost_of_missing: 'The customer is never charged.',
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
