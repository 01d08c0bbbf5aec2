import type { EvidenceAnswer, OutcomeReason, PendingReason, Status } from '../../domain/states.ts';
import type { PlainJson } from '../identity/plain-json.ts';
import type { ContractRow, EvidenceRow, OperationId } from '../ports.ts';

/** The columns of `tool_contracts` that the store's rules read. */
export interface StoredContract {
  digest: string;
  body: PlainJson;
  lookup: 'none' | 'advisory' | 'authoritative';
  resend: 'never' | 'keyed' | 'absolute';
  delicate: boolean;
  key_window_seconds: number | null;
  call_budget_ms: number;
  settle_seconds: number;
  recovery_seconds: number;
  job_seconds: number | null;
  max_attempts: number;
  backoff_seconds: number;
  lease_seconds: number;
  response_seconds: number;
  retention_seconds: number;
  abandon_after_seconds: number | null;
  decision: 'automate' | 'automate_with_approval' | 'manual';
  require_intent: 'always' | 'on_sibling' | 'never';
  sibling_window_seconds: number;
  approval_valid_seconds: number | null;
  outage_seconds: number;
  one_per_reference: boolean;
}

export const storedContract = (row: ContractRow): StoredContract => row as unknown as StoredContract;

/** A row of `tool_operations`. Times are milliseconds of the database clock. A row is a value: a change is a new one. */
export interface StoredRow extends OperationId {
  tool_name: string;
  tool_version: string;
  request_fingerprint: string;
  fingerprint_version: number;
  request_redacted: PlainJson;
  request_sealed: string | null;
  intent_event: string | null;
  business_reference: string | null;
  connector: string;
  actor: string;
  workflow_id: string;
  step_id: string;
  approval_required: boolean;
  status: Status;
  pending_reason: PendingReason | null;
  reason: OutcomeReason | null;
  attempt: number;
  sent_attempt: number | null;
  doubt_attempt: number | null;
  first_sent_at: number | null;
  sent_at: number | null;
  quiet_until: number | null;
  attempt_ended_at: number | null;
  /** When the present attempt was claimed or acquired: the database reads it off the trace. */
  held_since: number;
  downstream_key: string | null;
  downstream_request_id: string | null;
  deploy: string | null;
  lease_owner: string | null;
  lease_token: string | null;
  lease_until: number | null;
  next_attempt_at: number | null;
  recover_until: number | null;
  provider_job_id: string | null;
  job_ended_at: number | null;
  effect_reference: string | null;
  /** Left out where nothing is stored; null is a response. */
  response: PlainJson | undefined;
  response_sealed: string | null;
  evidence: EvidenceAnswer | null;
  evidence_id: string | null;
  evidence_asked_at: number | null;
  case_at: number | null;
  contradicted_at: number | null;
  resolved_by: string | null;
  supersedes_key: string | null;
  successor_key: string | null;
  version: number;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  tombstoned_at: number | null;
}

/** A row of `lookups`. */
export interface StoredEvidence extends Pick<
  EvidenceRow,
  | 'source'
  | 'answer'
  | 'authoritative'
  | 'response'
  | 'response_sealed'
  | 'request_id'
  | 'names_attempt'
  | 'effect_reference'
> {
  evidence_id: string;
  asked_at: number;
}

/** A row of `approvals`. */
export interface StoredApproval {
  request_fingerprint: string;
  tool_version: string;
  state: 'requested' | 'approved' | 'denied';
  valid_until: number | null;
  consumed_at: number | null;
}

const isTerminal = ({ status }: StoredRow) =>
  status === 'applied' || status === 'failed_permanent' || status === 'approved_new_key';

/** The CHECKs of the table, by name; each says whether a row of ours may be so. */
const CHECKS: Record<string, (row: StoredRow) => boolean> = {
  tool_operations_key_scope: (o) => o.operation_key.startsWith(`${o.tenant_id}:${o.environment}:`),
  tool_operations_pending: (o) => {
    const unleased = o.lease_token === null && o.lease_until === null;
    if (o.status !== 'pending') return o.pending_reason === null && unleased;
    switch (o.pending_reason) {
      case 'leased':
        return o.lease_token !== null && o.lease_until !== null && o.lease_owner !== null && o.attempt >= 1;
      case 'ready':
        return unleased && o.next_attempt_at !== null;
      case 'accepted':
        return unleased && o.provider_job_id !== null && o.doubt_attempt !== null;
      case 'queued':
      case 'awaiting_approval':
        return unleased && o.doubt_attempt === null;
      case 'recovering':
        return unleased && o.doubt_attempt !== null && o.recover_until !== null;
      case null:
        return false;
    }
  },
  tool_operations_sent: (o) =>
    (o.sent_attempt === null) === (o.sent_at === null) &&
    (o.sent_at === null || (o.first_sent_at !== null && o.quiet_until !== null)),
  tool_operations_doubt: (o) =>
    o.doubt_attempt === null || (o.doubt_attempt >= 1 && o.doubt_attempt <= o.attempt),
  tool_operations_evidence: (o) =>
    (o.evidence === null) === (o.evidence_id === null) &&
    (o.evidence === null) === (o.evidence_asked_at === null),
  tool_operations_case: (o) => (o.case_at === null) === (isTerminal(o) && o.contradicted_at === null),
};

/** Throws as the database would: naming the CHECK that the row breaks. */
export function assertChecks(row: StoredRow): void {
  for (const [name, holds] of Object.entries(CHECKS))
    if (!holds(row)) throw new Error(`the row violates ${name}: ${JSON.stringify(row)}`);
}
