import type { EvidenceFact, Facts } from '../../domain/facts.ts';
import type { StoredApproval, StoredContract, StoredEvidence, StoredRow } from './stored-row.ts';

/** What one row's rules read beside itself. */
export interface Beside {
  contract: StoredContract;
  /** The evidence that the row names. */
  evidence: StoredEvidence | undefined;
  /** The operation that the row succeeds. */
  predecessor: StoredRow | undefined;
  approvals: readonly StoredApproval[];
}

/** A provider job is known and its own answer is not terminal. */
const isJobOpen = (row: StoredRow) => row.provider_job_id !== null && row.job_ended_at === null;

/** `app.evidence_fact`: what the stored evidence proves. Times are milliseconds of the database clock. */
export function evidenceFact(
  row: StoredRow,
  contract: StoredContract,
  evidence: StoredEvidence | undefined,
): EvidenceFact {
  if (row.evidence === null || evidence === undefined) return row.evidence === null ? 'none' : 'inconclusive';
  const askedLate =
    row.quiet_until !== null &&
    row.evidence_asked_at !== null &&
    row.evidence_asked_at > row.quiet_until + contract.settle_seconds * 1000;
  switch (row.evidence) {
    case 'found':
      return evidence.authoritative ? 'found' : 'found_advisory';
    case 'absent':
      return evidence.authoritative && !isJobOpen(row) && askedLate ? 'absent_conclusive' : 'absent';
    case 'refused': {
      const namesTheOnly =
        evidence.names_attempt !== undefined &&
        evidence.names_attempt === row.doubt_attempt &&
        row.sent_attempt === row.doubt_attempt;
      const onlySend = row.sent_at !== null && row.first_sent_at === row.sent_at;
      return evidence.authoritative &&
        (namesTheOnly || onlySend || (evidence.source === 'lookup' && askedLate))
        ? 'refused_conclusive'
        : 'refused';
    }
    case 'pending':
    case 'ambiguous':
    case 'failed':
      return 'inconclusive';
  }
}

/** `app.facts_at`: the row as every rule reads it, at a time of the database clock in milliseconds. */
export function factsAt(
  row: StoredRow,
  { contract, evidence, predecessor, approvals }: Beside,
  at: number,
): Facts {
  const remembersUntil =
    row.first_sent_at === null ? Infinity : row.first_sent_at + (contract.key_window_seconds ?? 0) * 1000;
  return {
    status: row.status,
    pendingReason: row.pending_reason ?? 'none',
    lease:
      row.lease_until === null || row.status !== 'pending'
        ? 'none'
        : row.lease_until > at
          ? 'live'
          : 'expired',
    sent: row.sent_attempt === row.attempt,
    doubt: row.doubt_attempt === null ? 'none' : row.doubt_attempt === row.attempt ? 'own' : 'earlier',
    ended: row.attempt_ended_at !== null,
    due: row.next_attempt_at === null || row.next_attempt_at <= at,
    attemptsLeft: row.attempt < contract.max_attempts,
    evidence: evidenceFact(row, contract, evidence),
    asked:
      row.evidence !== null &&
      row.evidence !== 'failed' &&
      row.evidence_asked_at !== null &&
      row.sent_at !== null &&
      row.evidence_asked_at > row.sent_at,
    keyWindow:
      contract.resend === 'keyed' &&
      remembersUntil > at + contract.call_budget_ms + contract.settle_seconds * 1000
        ? 'open'
        : 'shut',
    recoverPassed: row.recover_until !== null && row.recover_until <= at,
    jobOpen: isJobOpen(row),
    versionHeld: true,
    approval: approvalFact(row, contract, approvals, at),
    predecessor:
      row.supersedes_key === null
        ? 'none'
        : predecessor?.status === 'approved_new_key' && predecessor.contradicted_at === null
          ? 'standing'
          : 'changed',
    manual: contract.decision === 'manual',
    contradicted: row.contradicted_at !== null,
    retention: row.expires_at !== null && row.expires_at <= at ? 'past' : 'within',
    abandonPassed:
      contract.abandon_after_seconds !== null && row.created_at + contract.abandon_after_seconds * 1000 <= at,
    epoch: 'current',
    adopted: false,
    capabilities: { lookup: contract.lookup, resend: contract.resend, delicate: contract.delicate },
  };
}

/** `app.approval_fact`: bound to fingerprint and version, and unexpired. */
function approvalFact(
  row: StoredRow,
  contract: StoredContract,
  approvals: readonly StoredApproval[],
  at: number,
): Facts['approval'] {
  if (!row.approval_required && contract.decision !== 'automate_with_approval') return 'not_needed';
  const isValid = (a: StoredApproval) =>
    a.state === 'approved' &&
    a.valid_until !== null &&
    a.valid_until > at &&
    a.request_fingerprint === row.request_fingerprint &&
    a.tool_version === row.tool_version;
  return approvals.some(isValid) ? 'valid' : 'missing';
}

/** `app.case_at`: from when a row is a person's work; null once it is nobody's. */
export function caseAt(row: StoredRow, contract: StoredContract, at: number): number | null {
  if (row.contradicted_at !== null) return Math.min(row.contradicted_at, at);
  if (row.status === 'unknown') return at;
  if (row.status !== 'pending') return null;
  switch (row.pending_reason) {
    case 'leased':
      return (row.lease_until ?? at) + 60_000;
    case 'ready':
      return row.attempt >= contract.max_attempts
        ? at
        : (row.next_attempt_at ?? at) + 3000 * contract.backoff_seconds;
    case 'accepted':
      return at + 1000 * (contract.job_seconds ?? contract.recovery_seconds);
    case 'recovering':
      return row.recover_until;
    case 'queued':
    case 'awaiting_approval':
    case null:
      return at + 1000 * contract.response_seconds;
  }
}
