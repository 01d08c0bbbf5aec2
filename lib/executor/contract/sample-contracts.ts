import type { ContractInput } from './contract.ts';

/** For tests: the smallest honest key-based tool. */
export const ticketsCreate = {
  name: 'tickets.create',
  version: '2026-08-18',
  purpose: 'Create one support ticket for one validated workflow step.',
  effect_class: 'key_based',
  effects: ['a ticket in the queue', 'an e-mail to the requester'],
  material: {
    queue_id: { rules: [] },
    subject: { rules: ['trim', 'collapse_whitespace'], because: 'The ticket service trims subjects too.' },
    body: { rules: [] },
    customer_id: { rules: [], sensitive: true },
  },
  ignored: { trace_id: 'Telemetry; it differs on every delivery.' },
  canonicalization_version: 1,
  downstream: {
    connector: 'deskline',
    deduplicates: true,
    key: 'operation_key',
    key_window_seconds: 86_400,
    call_budget_ms: 5_000,
    settle_seconds: 10,
    own_retries_off: true,
  },
  lookup: {
    by: 'operation_key',
    authoritative: true,
    deadline_seconds: 600,
    compare: { subject: 'subject' },
  },
  receipt: { field: 'ticket_id', required: true },
  replay: { fields: ['ticket_id'], sensitive: [], max_bytes: 4_096 },
  attempts: { max: 3, backoff_seconds: 5 },
  lease_seconds: 30,
  retention_seconds: 604_800,
  late_arrival: 'tombstone',
  decision: 'automate',
  owner: { team: 'support' },
  response_seconds: 3_600,
  cost_of_duplicate: 'The customer gets two tickets and two e-mails.',
  cost_of_missing: 'Nobody answers the customer.',
} satisfies ContractInput;

/** For tests: a contract that states every field there is, consistent or not. */
export const everyField = {
  ...ticketsCreate,
  effect_class: 'irreversible',
  mode: 'keyed',
  material: {
    subject: { rules: [{ default: 'none' }, 'trim'], because: 'Trimmed.', sensitive: false, personal: false },
  },
  downstream: { ...ticketsCreate.downstream, key: { digest: 'sha256', length: 32 } },
  postcondition: { subject: 'subject' },
  replay: { fields: ['ticket_id'], sensitive: ['ticket_id'], max_bytes: 4_096 },
  recovery_seconds: 600,
  job_seconds: 60,
  abandon_after_seconds: 86_400,
  require_intent: 'always',
  approval: { not_needed_because: 'It is a demo.', signed_by: 'R. Nakamura' },
  supersedes: { '2026-08-17': 'reconcile' },
  freshness: 'At most a minute old.',
  audit_on_read: false,
  target_label: 'subject',
  version_condition: 'subject',
} satisfies ContractInput;
