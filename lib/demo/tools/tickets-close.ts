import { z } from 'zod';
import { callHttp, defineContract, defineTool, type ContractInput } from '../../executor/index.ts';
import { agentKey, aMonth, asksAgain, faultTests } from './demo-practice.ts';
import { sendEffect, type Wire } from './deskline-wire.ts';

const ticketsCloseContract = {
  name: 'tickets.close',
  version: '2026-12-01',
  purpose: 'Set one ticket to closed.',
  use_when: ['The issue of the ticket is solved and the customer agreed.'],
  do_not_use_when: ['Somebody answered the ticket since you read its version.'],
  effect_class: 'natural_idempotent',
  effects: ['the ticket is closed', 'an e-mail to the customer'],
  operation_key: {
    ...agentKey,
    new_key_on: 'The ticket was opened again and is to be closed once more: a new step with its new version.',
  },
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
  retention: aMonth,
  late_arrival: 'reject',
  security: { ...asksAgain, verify_target_version: true },
  decision: 'automate',
  tests: { ...faultTests, target_changed: ['T3.1', 'T3.2'] },
  faults: { max_age_days: 30 },
  duplicate_cost: 'low',
  owner: { team: 'Support operations' },
  response_seconds: 7_200,
  target_label: 'ticket_id',
  cost_of_duplicate: 'The customer is mailed twice that the ticket is closed.',
  cost_of_missing: 'The ticket stays open although the issue is solved.',
  next_review: '2027-06-01',
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
    targetVersion: (call) => ticketVersion(wire, call.arguments.ticket_id, call.signal),
  });

/** The version of a ticket as it is now; null for one that does not exist. */
async function ticketVersion(wire: Wire, id: string, signal: AbortSignal): Promise<number | null> {
  const { status, body } = await callHttp(`${wire.url}/tickets/${encodeURIComponent(id)}`, { signal });
  if (status === 404) return null;
  const version = typeof body === 'object' && body !== null && 'version' in body ? body.version : undefined;
  if (status !== 200 || typeof version !== 'number') throw new Error(`Deskline answered ${status}`);
  return version;
}
