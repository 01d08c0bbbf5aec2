import { z } from 'zod';
import { defineContract, defineTool, type ContractInput } from '../../executor/index.ts';
import { sendEffect, type Wire } from './deskline-wire.ts';

const ticketsCloseContract = {
  name: 'tickets.close',
  version: '2026-08-18',
  purpose: 'Set one ticket to closed.',
  effect_class: 'natural_idempotent',
  effects: ['the ticket is closed', 'an e-mail to the customer'],
  material: {
    ticket_id: { rules: [] },
    expected_version: { rules: ['integer'] },
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
  version_condition: 'expected_version',
  receipt: { field: 'id', required: false },
  replay: { fields: ['id', 'status', 'version'], sensitive: [], max_bytes: 4_096 },
  attempts: { max: 3, backoff_seconds: 2 },
  lease_seconds: 4,
  recovery_seconds: 60,
  retention_seconds: 30 * 86_400,
  late_arrival: 'reject',
  decision: 'automate',
  owner: { team: 'Support operations' },
  response_seconds: 7_200,
  target_label: 'ticket_id',
  cost_of_duplicate: 'The customer is mailed twice that the ticket is closed.',
  cost_of_missing: 'The ticket stays open although the issue is solved.',
} satisfies ContractInput;

/** The same target and value again is the same state; the expected version keeps a newer human change. */
export const ticketsClose = (wire: Wire, change: Partial<ContractInput> = {}) =>
  defineTool({
    contract: defineContract({ ...ticketsCloseContract, ...change }),
    input: z.strictObject({ ticket_id: z.string(), expected_version: z.int().positive() }),
    effect: (call) =>
      sendEffect(wire, `/tickets/${encodeURIComponent(call.arguments.ticket_id)}/close`, call, {
        expected_version: call.arguments.expected_version,
      }),
  });
