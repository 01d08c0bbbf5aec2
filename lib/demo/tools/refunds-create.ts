import { z } from 'zod';
import { defineContract, defineTool, type ContractInput } from '../../executor/index.ts';
import { agentKey, aQuarter, asksAgain, faultTests } from './demo-practice.ts';
import { listByScope, lookUpByKey, sendEffect, type Wire } from './deskline-wire.ts';

export const refundsCreateContract = {
  name: 'refunds.create',
  version: '2026-12-01',
  purpose: 'Refund one payment for one approved request.',
  use_when: ['A return was approved and its payment is known.'],
  do_not_use_when: ['The customer asks where the refund is.'],
  effect_class: 'key_based',
  effects: ['a refund to the customer’s card', 'a mailed receipt'],
  operation_key: { ...agentKey, new_key_on: 'Another return of the same payment is approved.' },
  material: {
    payment_id: { rules: [] },
    amount: { rules: ['integer'] },
    currency: { rules: [] },
    reason: { rules: ['trim'], because: 'The reason is shown, never compared.' },
  },
  ignored: {},
  canonicalization_version: 1,
  downstream: {
    connector: 'deskline.refunds',
    deduplicates: true,
    key: 'operation_key',
    key_window_seconds: 86_400,
    call_budget_ms: 3_000,
    settle_seconds: 3,
    own_retries_off: true,
  },
  lookup: {
    by: 'operation_key',
    authoritative: true,
    deadline_seconds: 20,
    outage_seconds: 5,
    compare: { amount: 'amount', payment_id: 'payment_id' },
  },
  receipt: { field: 'id', required: true },
  postcondition: { amount: 'amount', payment_id: 'payment_id' },
  replay: { fields: ['id', 'status', 'note'], sensitive: [], max_bytes: 4_096 },
  attempts: { max: 3, backoff_seconds: 2 },
  lease_seconds: 4,
  retention_seconds: 90 * 86_400,
  retention: aQuarter,
  late_arrival: 'tombstone',
  security: asksAgain,
  decision: 'automate',
  tests: faultTests,
  faults: { max_age_days: 30 },
  duplicate_cost: 'high',
  owner: { team: 'Payments' },
  response_seconds: 1_800,
  target_label: 'payment_id',
  cost_of_duplicate: 'The customer is refunded twice.',
  cost_of_missing: 'The customer waits for money that never comes.',
  next_review: '2027-03-01',
} satisfies ContractInput;

/** Deskline deduplicates refunds by key, and its lookup shows them a few seconds late. */
export const refundsCreate = (wire: Wire, change: Partial<ContractInput> = {}) =>
  defineTool({
    contract: defineContract({ ...refundsCreateContract, ...change }),
    input: z.strictObject({
      payment_id: z.string(),
      amount: z.int().positive(),
      currency: z.string().length(3),
      reason: z.string(),
    }),
    effect: (call) => sendEffect(wire, '/refunds', call, call.arguments),
    lookup: (question) => lookUpByKey(wire, 'refunds', question),
    listEffects: (question) => listByScope(wire, 'refunds', question),
  });
