import type { FactsRow } from '../../shapes/facts.ts';
import type {
  DecisionItem,
  EvidenceItem,
  OperationDetail,
  OperationRecord,
  TraceEvent,
} from '../../shapes/operation-record.ts';

const DAY = '2026-08-18T';
/** An instant of the day on which all examples play. */
export const at = (time: string) => `${DAY}${time}+00:00`;

const KEY = 'acme:production:run_827:charge_card';

/** A payment that was sent, got no answer, and may have happened. */
export function record(part: Partial<OperationRecord> = {}): OperationRecord {
  return {
    tenant_id: 'acme',
    environment: 'production',
    operation_key: KEY,
    tool_name: 'payments.charge',
    tool_version: '2026-08-18',
    effect_class: 'irreversible',
    contract_digest: 'sha256:00',
    connector: 'deskline.payments',
    deploy: 'v41',
    request_fingerprint: `sha256:${'9f2c41aa'.repeat(8)}`,
    fingerprint_version: 1,
    request_redacted: { amount: 4200, currency: 'EUR' },
    intent_event: null,
    business_reference: null,
    status: 'unknown',
    pending_reason: null,
    reason: 'no_answer',
    attempt: 1,
    sent_attempt: 1,
    doubt_attempt: 1,
    first_sent_at: at('14:02:07.114'),
    sent_at: at('14:02:07.114'),
    quiet_until: at('14:02:17.114'),
    attempt_ended_at: at('14:02:09.414'),
    downstream_key: KEY,
    downstream_request_id: 'req_1',
    lease_owner: null,
    lease_until: null,
    next_attempt_at: null,
    recover_until: at('14:12:09'),
    provider_job_id: null,
    effect_reference: null,
    has_response: false,
    response_json: null,
    delivery_state: null,
    evidence: null,
    evidence_id: null,
    evidence_asked_at: null,
    case_at: at('14:02:40'),
    contradicted_at: null,
    response_due_at: at('14:22:07'),
    resolved_by: null,
    supersedes_key: null,
    successor_key: null,
    workflow_id: 'run_827',
    step_id: 'charge_card',
    actor: 'agent:planner-2',
    trace_id: null,
    adopted: false,
    version: 4,
    created_at: at('14:02:07.101'),
    updated_at: at('14:02:40'),
    expires_at: null,
    first_recorded_at: null,
    tombstoned_at: null,
    ...part,
  };
}

export function facts(part: Partial<FactsRow> = {}): FactsRow {
  return {
    status: 'unknown',
    pending_reason: 'none',
    lease: 'none',
    sent: true,
    doubt: 'own',
    ended: true,
    due: true,
    attempts_left: true,
    evidence: 'none',
    asked: false,
    key_window: 'shut',
    recover_passed: true,
    job_open: false,
    version_held: true,
    approval: 'not_needed',
    predecessor: 'none',
    manual: false,
    contradicted: false,
    retention: 'within',
    abandon_passed: false,
    epoch: 'current',
    adopted: false,
    lookup: 'authoritative',
    resend: 'never',
    delicate: true,
    ...part,
  };
}

export function event(part: Partial<TraceEvent> & Pick<TraceEvent, 'event_id' | 'kind' | 'at'>): TraceEvent {
  return {
    steps: [],
    from_status: null,
    to_status: null,
    to_pending_reason: null,
    reason: null,
    attempt: 1,
    version: null,
    actor: null,
    worker: null,
    trace_id: null,
    tool_call_id: null,
    delivery_id: null,
    detail: {},
    ...part,
  };
}

export const CLAIM = event({
  event_id: 1,
  kind: 'claim',
  at: at('14:02:07.114'),
  steps: [
    { step: 'proposed', at: at('14:02:07.101') },
    { step: 'sent', at: at('14:02:07.114') },
  ],
  to_status: 'pending',
  to_pending_reason: 'leased',
  worker: 'w-3',
  version: 1,
});

export const DOUBT = event({
  event_id: 2,
  kind: 'doubt',
  at: at('14:02:09.414'),
  from_status: 'pending',
  to_status: 'pending',
  to_pending_reason: 'recovering',
  reason: 'no_answer',
  worker: 'w-3',
  version: 2,
});

export const GIVE_UP = event({
  event_id: 3,
  kind: 'give_up',
  at: at('14:02:40'),
  from_status: 'pending',
  to_status: 'unknown',
  reason: 'recovery_exhausted',
  worker: 'reconciler-1',
  version: 4,
});

export function evidence(part: Partial<EvidenceItem> = {}): EvidenceItem {
  return {
    evidence_id: '11111111-1111-4111-8111-111111111111',
    source: 'lookup',
    asked_by: 'system:reconcile',
    asked_by_name: null,
    asked_at: at('14:06:12'),
    answered_at: at('14:06:12.2'),
    looked_up_by: 'operation_key',
    answer: 'found',
    authoritative: true,
    effect_reference: 'pay_7731',
    committed_at: at('14:02:08.004'),
    summary: 'One charge has this key.',
    asked_late_enough: true,
    is_current: true,
    ...part,
  };
}

export function decision(part: Partial<DecisionItem> = {}): DecisionItem {
  return {
    decision_id: '22222222-2222-4222-8222-222222222222',
    state: 'recorded',
    verdict: 'applied',
    reason: 'Deskline shows it.',
    effect_reference: 'pay_7731',
    evidence_ids: [],
    expected_version: 4,
    recorded_version: 5,
    successor_key: null,
    decided_by: '33333333-3333-4333-8333-333333333333',
    decided_by_name: 'Marek Brandt',
    audit_sequence: 12,
    decided_at: at('14:07:00'),
    approved_by_name: null,
    approved_at: null,
    approval_reason: null,
    voided_because: null,
    ...part,
  };
}

export function detail(part: Partial<OperationDetail> = {}): OperationDetail {
  return {
    checked_at: at('14:06:16'),
    record: record(),
    target: 'invoice 8841',
    facts: facts(),
    contract: {
      decision: 'automate',
      max_attempts: 3,
      call_budget_ms: 10_000,
      settle_seconds: 300,
      key_window_seconds: null,
      cost_of_duplicate: 'The customer is charged twice.',
      cost_of_missing: 'The customer is never charged.',
      owner: 'Billing',
      system: 'Deskline payments',
    },
    absence_counts_from: at('14:07:17.114'),
    evidence: [],
    question: null,
    evidence_response: null,
    events: [CLAIM, DOUBT, GIVE_UP],
    events_left_off: false,
    decisions: [],
    roles: ['operator'],
    ...part,
  };
}
