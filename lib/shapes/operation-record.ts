import * as z from 'zod/mini';
import { DECISION_STATES, EVIDENCE_ANSWERS, ROLES, VERDICTS, VOID_REASONS } from '../domain/states.ts';
import { factsRow } from './facts.ts';
import { instant } from './instant.ts';

const text = z.nullable(z.string());
const time = z.nullable(instant);

/** The whole record of one operation as the console may see it: nothing sealed, no lease token. */
export const operationRecord = z.object({
  tenant_id: z.string(),
  environment: z.string(),
  operation_key: z.string(),
  tool_name: z.string(),
  tool_version: z.string(),
  effect_class: text,
  contract_digest: text,
  connector: text,
  deploy: text,
  request_fingerprint: z.string(),
  fingerprint_version: z.int(),
  request_redacted: z.unknown(),
  intent_event: text,
  business_reference: text,
  status: z.string(),
  pending_reason: text,
  reason: text,
  attempt: z.int(),
  sent_attempt: z.nullable(z.int()),
  doubt_attempt: z.nullable(z.int()),
  first_sent_at: time,
  sent_at: time,
  quiet_until: time,
  attempt_ended_at: time,
  downstream_key: text,
  downstream_request_id: text,
  lease_owner: text,
  lease_until: time,
  next_attempt_at: time,
  recover_until: time,
  provider_job_id: text,
  effect_reference: text,
  has_response: z.boolean(),
  /** The replay fields; left out where they are too large for a page. */
  response_json: z.unknown(),
  delivery_state: text,
  evidence: text,
  evidence_id: text,
  evidence_asked_at: time,
  case_at: time,
  contradicted_at: time,
  response_due_at: time,
  resolved_by: text,
  supersedes_key: text,
  successor_key: text,
  workflow_id: text,
  step_id: text,
  actor: text,
  trace_id: text,
  adopted: z.boolean(),
  version: z.int(),
  created_at: instant,
  updated_at: instant,
  expires_at: time,
  /** When the outcome that stands was first recorded; null while there is none. */
  first_recorded_at: time,
  tombstoned_at: time,
});
export type OperationRecord = z.infer<typeof operationRecord>;

/** What a screen needs of the pinned contract. */
export const contractView = z.object({
  decision: z.string(),
  max_attempts: z.int(),
  call_budget_ms: z.int(),
  settle_seconds: z.int(),
  key_window_seconds: z.nullable(z.int()),
  cost_of_duplicate: text,
  cost_of_missing: text,
  owner: text,
  /** The name of the system of record, for people. */
  system: text,
});
export type ContractView = z.infer<typeof contractView>;

export const evidenceItem = z.object({
  evidence_id: z.string(),
  source: z.enum(['lookup', 'job', 'late_answer', 'person']),
  asked_by: z.string(),
  asked_by_name: text,
  asked_at: instant,
  answered_at: instant,
  looked_up_by: text,
  answer: z.enum(EVIDENCE_ANSWERS),
  authoritative: z.boolean(),
  effect_reference: text,
  committed_at: time,
  summary: z.string(),
  /** Asked after quiet time + settle window, by the database clock: an "absent" that counts. */
  asked_late_enough: z.boolean(),
  /** It is the item that the record's evidence stands on. */
  is_current: z.boolean(),
});
export type EvidenceItem = z.infer<typeof evidenceItem>;

export const traceEvent = z.object({
  event_id: z.int(),
  at: instant,
  kind: z.string(),
  steps: z.array(z.looseObject({ step: z.string(), at: instant })),
  from_status: text,
  to_status: text,
  to_pending_reason: text,
  reason: text,
  attempt: z.nullable(z.int()),
  version: z.nullable(z.int()),
  actor: text,
  worker: text,
  trace_id: text,
  tool_call_id: text,
  delivery_id: text,
  detail: z.record(z.string(), z.unknown()),
});
export type TraceEvent = z.infer<typeof traceEvent>;

export const decisionItem = z.object({
  decision_id: z.string(),
  state: z.enum(DECISION_STATES),
  verdict: z.enum(VERDICTS),
  reason: z.string(),
  effect_reference: text,
  evidence_ids: z.array(z.string()),
  expected_version: z.int(),
  recorded_version: z.nullable(z.int()),
  successor_key: text,
  decided_by: z.string(),
  decided_by_name: z.string(),
  audit_sequence: z.nullable(z.int()),
  decided_at: instant,
  approved_by_name: text,
  approved_at: time,
  approval_reason: text,
  voided_because: z.nullable(z.enum(VOID_REASONS)),
});
export type DecisionItem = z.infer<typeof decisionItem>;

/** A question that was asked from the console and is not answered yet. */
export const openQuestion = z.object({ request_id: z.string(), asked_by: z.string(), asked_at: instant });
export type OpenQuestion = z.infer<typeof openQuestion>;

/** Everything that the case and the trace screens show about one operation. */
export const operationDetail = z.object({
  checked_at: instant,
  record: operationRecord,
  target: text,
  facts: factsRow,
  contract: z.nullable(contractView),
  /** Quiet time + settle window of the last attempt: from then on an answer "absent" may count. */
  absence_counts_from: time,
  evidence: z.array(evidenceItem),
  question: z.nullable(openQuestion),
  /** The replay fields that the current evidence holds; a verdict "applied" stores them. */
  evidence_response: z.unknown(),
  events: z.array(traceEvent),
  events_left_off: z.boolean(),
  decisions: z.array(decisionItem),
  roles: z.array(z.enum(ROLES)),
});
export type OperationDetail = z.infer<typeof operationDetail>;
