import { z } from 'zod';
import { defineContract, defineTool, type ContractInput } from '../../executor/index.ts';
import { agentKey, aMonth, asksAgain, faultTests } from './demo-practice.ts';
import { sendEffect, type Wire } from './deskline-wire.ts';

export const messagesSendContract = {
  name: 'messages.send',
  version: '2026-12-01',
  purpose: 'Send one message to one customer.',
  use_when: ['A customer is to be told something that a template exists for.'],
  do_not_use_when: ['You do not know whether the last message arrived.'],
  effect_class: 'non_idempotent',
  mode: 'one_shot',
  effects: ['a message on the customer’s phone'],
  operation_key: { ...agentKey, new_key_on: 'The customer or a person asks to send it again.' },
  material: {
    to: { rules: [], sensitive: true, personal: true },
    template: { rules: [] },
    text: { rules: [] },
  },
  ignored: {},
  canonicalization_version: 1,
  downstream: {
    connector: 'deskline.messages',
    deduplicates: false,
    key: 'operation_key',
    call_budget_ms: 3_000,
    settle_seconds: 0,
    own_retries_off: true,
  },
  receipt: { field: 'id', required: true },
  postcondition: { template: 'template' },
  replay: { fields: ['id', 'status'], sensitive: [], max_bytes: 4_096 },
  attempts: { max: 2, backoff_seconds: 2 },
  lease_seconds: 4,
  retention_seconds: 30 * 86_400,
  retention: aMonth,
  late_arrival: 'reject',
  security: asksAgain,
  decision: 'automate',
  tests: faultTests,
  faults: { max_age_days: 30 },
  duplicate_cost: 'low',
  owner: { team: 'Customer messaging' },
  response_seconds: 7_200,
  target_label: 'template',
  cost_of_duplicate: 'The customer gets the same message twice.',
  cost_of_missing: 'The customer is not told.',
  next_review: '2027-06-01',
} satisfies ContractInput;

/** Deskline neither deduplicates messages nor can be asked about them: a doubt is a person's. */
export const messagesSend = (wire: Wire, change: Partial<ContractInput> = {}) =>
  defineTool({
    contract: defineContract({ ...messagesSendContract, ...change }),
    input: z.strictObject({ to: z.string(), template: z.string(), text: z.string() }),
    effect: (call) => sendEffect(wire, '/messages', call, call.arguments),
  });
