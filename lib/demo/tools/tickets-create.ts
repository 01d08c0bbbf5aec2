import { z } from 'zod';
import { defineContract, defineTool, type ContractInput } from '../../executor/index.ts';
import { agentKey, aMonth, asksAgain, faultTests } from './demo-practice.ts';
import { listByScope, lookUpByKey, sendEffect, type Wire } from './deskline-wire.ts';

export const ticketsCreateContract = {
  name: 'tickets.create',
  version: '2026-12-01',
  purpose: 'Create one support ticket for one validated workflow step.',
  use_when: ['A customer reports an issue that no ticket of this conversation covers.'],
  do_not_use_when: [
    'You want to know whether a ticket exists.',
    'The customer only asks to hear the same answer again.',
  ],
  effect_class: 'key_based',
  effects: ['a ticket in the queue', 'an e-mail to the customer'],
  operation_key: {
    ...agentKey,
    new_key_on: 'The customer reports another issue: the workflow opens a new step.',
  },
  material: {
    queue_id: { rules: [] },
    subject: { rules: ['trim', 'collapse_whitespace'], because: 'Deskline shows subjects on one line.' },
    body: { rules: [] },
    customer_id: { rules: [], sensitive: true, personal: true },
  },
  ignored: {},
  canonicalization_version: 1,
  downstream: {
    connector: 'deskline.tickets',
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
    deadline_seconds: 60,
    compare: { subject: 'subject', queue_id: 'queue_id' },
  },
  receipt: { field: 'id', required: true },
  postcondition: { subject: 'subject', queue_id: 'queue_id' },
  replay: { fields: ['id', 'status', 'note'], sensitive: [], max_bytes: 4_096 },
  attempts: { max: 3, backoff_seconds: 2 },
  lease_seconds: 4,
  retention_seconds: 30 * 86_400,
  retention: aMonth,
  late_arrival: 'tombstone',
  security: asksAgain,
  decision: 'automate',
  tests: faultTests,
  faults: { max_age_days: 30 },
  duplicate_cost: 'medium',
  owner: { team: 'Support operations' },
  response_seconds: 3_600,
  target_label: 'subject',
  cost_of_duplicate: 'The customer gets two tickets and two e-mails about one issue.',
  cost_of_missing: 'Nobody works on the customer’s issue.',
  next_review: '2027-06-01',
} satisfies ContractInput;

/** Deskline deduplicates tickets by key and answers for them. */
export const ticketsCreate = (wire: Wire, change: Partial<ContractInput> = {}) =>
  defineTool({
    contract: defineContract({ ...ticketsCreateContract, ...change }),
    input: z.strictObject({
      queue_id: z.string(),
      subject: z.string(),
      body: z.string(),
      customer_id: z.string(),
    }),
    effect: (call) => sendEffect(wire, '/tickets', call, call.arguments),
    lookup: (question) => lookUpByKey(wire, 'tickets', question),
    listEffects: (question) => listByScope(wire, 'tickets', question),
  });
