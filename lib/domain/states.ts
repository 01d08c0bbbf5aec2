/** The names of DESIGN: each stands here once, and everything else derives its types from these lists. */

export const STATUSES = ['pending', 'applied', 'failed_permanent', 'unknown', 'approved_new_key'] as const;
export type Status = (typeof STATUSES)[number];

export const PENDING_REASONS = [
  'leased',
  'ready',
  'accepted',
  'queued',
  'awaiting_approval',
  'recovering',
] as const;
export type PendingReason = (typeof PENDING_REASONS)[number];

export const EFFECT_CLASSES = [
  'read',
  'natural_idempotent',
  'key_based',
  'non_idempotent',
  'irreversible',
] as const;

const UNKNOWN_REASONS = [
  'no_answer',
  'unreadable_answer',
  'wrong_receipt',
  'lease_expired',
  'recovery_exhausted',
  'job_lost',
  'fail_over',
  'adopted',
] as const;

const FAILED_REASONS = [
  'refused',
  'precondition_failed',
  'approval_denied',
  'never_sent',
  'revoked',
  'decided',
] as const;

const ANSWER_REASONS = [
  'invalid_arguments',
  'unauthorized',
  'manual_only',
  'fingerprint_mismatch',
  'expired_operation',
  'superseded',
  'approval_required',
  'sibling',
  'not_sent',
  'attempts_spent',
  'leased',
  'scheduled',
  'job',
  'queued',
  'recovering',
  'version_not_held',
] as const;

/** Every reason an outcome can carry: the stored ones and the ones that only an answer has. */
export const OUTCOME_REASONS = [...UNKNOWN_REASONS, ...FAILED_REASONS, ...ANSWER_REASONS] as const;
export type OutcomeReason = (typeof OUTCOME_REASONS)[number];

export const OUTCOME_STATUSES = ['applied', 'replayed', 'in_flight', 'rejected', 'unknown'] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

export const NEXT_ACTIONS = [
  'none',
  'poll',
  'reconcile',
  'ask_for_approval',
  'inspect_operation',
  'use_successor_key',
  'fix_arguments',
  'retry_later',
] as const;
export type NextAction = (typeof NEXT_ACTIONS)[number];

/** What a lookup answers. */
export const EVIDENCE_ANSWERS = ['found', 'absent', 'pending', 'refused', 'ambiguous', 'failed'] as const;
export type EvidenceAnswer = (typeof EVIDENCE_ANSWERS)[number];

export const VERDICTS = ['applied', 'failed_permanent', 'approved_new_key'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** `recorded` by one person or `approved` by a second one: in force. `proposed` waits, `voided` never was. */
export const DECISION_STATES = ['proposed', 'approved', 'voided', 'recorded'] as const;
export type DecisionState = (typeof DECISION_STATES)[number];

/** Why a proposal is void. */
export const VOID_REASONS = [
  'version_changed',
  'proposer_not_granted',
  'replaced',
  'decided',
  'withdrawn',
  'declined',
] as const;
export type VoidReason = (typeof VOID_REASONS)[number];

export const ROLES = ['viewer', 'operator', 'approver', 'auditor', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** Every event of the transition table, in its order. */
export const EVENTS = [
  'claim',
  'enqueue',
  'request_approval',
  'approve',
  'deny',
  'acquire',
  'send',
  'accept',
  'apply',
  'refuse',
  'release',
  'doubt',
  'expire',
  'settle_found',
  'settle_refused',
  'settle_absent',
  'resend',
  'give_up',
  'decide_applied',
  'decide_failed',
  'decide_new_key',
  'amend',
  'fail_over',
  'abandon',
  'compact',
] as const;
export type Event = (typeof EVENTS)[number];
