import type { Facts } from '../../domain/facts.ts';
import type { Event } from '../../domain/states.ts';
import { nextState } from '../../domain/transitions.ts';
import type { TransitionRow } from '../ports.ts';
import { caseAt } from './stored-facts.ts';
import type { StoredContract, StoredEvidence, StoredRow } from './stored-row.ts';

/** The events that `app.transition` takes; the others have functions of their own. */
export const EXECUTOR_EVENTS = [
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
  'request_approval',
  'abandon',
  'compact',
] as const satisfies readonly Event[];
export type ExecutorEvent = (typeof EXECUTOR_EVENTS)[number];

const oneOf =
  (...events: ExecutorEvent[]) =>
  (event: ExecutorEvent) =>
    events.includes(event);
export const isFencedByToken = oneOf('send', 'accept', 'apply', 'refuse', 'release', 'doubt');
export const isFencedByVersion = oneOf('settle_refused', 'settle_absent', 'resend', 'give_up');
const keepsLease = oneOf('acquire', 'send');
const endsAttempt = oneOf('apply', 'accept', 'refuse', 'release', 'doubt');
const disprovesDoubt = oneOf('refuse', 'release', 'settle_absent', 'settle_refused', 'settle_found', 'apply');
const makesReady = oneOf('release', 'settle_absent', 'resend');

const isTerminal = ({ status }: StoredRow) =>
  status === 'applied' || status === 'failed_permanent' || status === 'approved_new_key';

/** Everything that an event reads. Times are milliseconds of the database clock. */
export interface Firing {
  event: ExecutorEvent;
  item: TransitionRow;
  facts: Facts;
  contract: StoredContract;
  /** The evidence that the row names. */
  evidence: StoredEvidence | undefined;
  at: number;
}

/** The row after an allowed event: the body of `app.transition`. */
export function fire(was: StoredRow, firing: Firing): StoredRow {
  const { event, item, facts, contract, at } = firing;
  const to = nextState(event, facts);
  const o: StoredRow = { ...was, status: to.status, pending_reason: to.pendingReason };
  if (event === 'compact') return entomb(o, at);
  o.version += 1;
  o.updated_at = at;
  if (!keepsLease(event)) {
    o.lease_token = null;
    o.lease_until = null;
    o.lease_owner = null;
  }
  const isReady = event === 'expire' && o.pending_reason === 'ready';
  if (event === 'acquire') hold(o, item, contract, at);
  if (event === 'send' || (event === 'acquire' && item.send === true)) markSent(o, item, contract, at);
  if (event === 'request_approval') {
    o.next_attempt_at = null;
    o.doubt_attempt = null;
  }
  if (endsAttempt(event) && item.ended !== false) o.attempt_ended_at = at;
  if (disprovesDoubt(event) || isReady) {
    o.doubt_attempt = null;
    o.recover_until = null;
  }
  if (makesReady(event) || isReady) o.next_attempt_at = at + (item.retry_after_ms ?? 0);
  if (event === 'settle_absent') {
    o.provider_job_id = null;
    o.job_ended_at = null;
  }
  if ((event === 'doubt' || event === 'expire') && !isReady) {
    o.reason = item.reason ?? 'lease_expired';
    o.doubt_attempt ??= o.attempt;
    o.recover_until ??= at + contract.recovery_seconds * 1000;
    o.next_attempt_at = at;
  }
  if (event === 'accept') {
    o.provider_job_id = item.provider_job_id ?? null;
    o.job_ended_at = null;
    o.next_attempt_at = at + contract.backoff_seconds * 1000;
    o.recover_until = at + ((contract.job_seconds ?? 0) + contract.recovery_seconds) * 1000;
  }
  resolve(o, was, firing);
  if (o.status !== 'pending') o.next_attempt_at = null;
  return o;
}

/** Key, fingerprint, status and reference stay; what was said goes. */
function entomb(o: StoredRow, at: number): StoredRow {
  o.response = undefined;
  o.response_sealed = null;
  o.request_sealed = null;
  o.request_redacted = null;
  o.tombstoned_at = at;
  return o;
}

function hold(o: StoredRow, item: TransitionRow, contract: StoredContract, at: number): void {
  o.attempt += 1;
  o.attempt_ended_at = null;
  o.reason = null;
  o.next_attempt_at = null;
  o.lease_token = item.lease_token ?? null;
  o.lease_owner = item.lease_owner ?? null;
  o.lease_until = at + contract.lease_seconds * 1000;
  o.held_since = at;
  o.downstream_key ??= item.downstream_key ?? null;
  o.deploy = item.deploy ?? o.deploy;
}

function markSent(o: StoredRow, item: TransitionRow, contract: StoredContract, at: number): void {
  o.sent_attempt = o.attempt;
  o.sent_at = at;
  o.first_sent_at ??= at;
  o.quiet_until = at + contract.call_budget_ms;
  o.doubt_attempt ??= o.attempt;
  o.downstream_request_id = item.downstream_request_id ?? null;
}

/** What an event that ends the doubt writes: receipt, reason, who resolved it. */
function resolve(o: StoredRow, was: StoredRow, { event, item, evidence }: Firing): void {
  switch (event) {
    case 'apply':
      o.effect_reference = item.effect_reference ?? null;
      o.response = item.response;
      o.response_sealed = item.response_sealed ?? null;
      o.resolved_by = 'executor';
      o.reason = null;
      return;
    case 'settle_found':
      if (evidence === undefined) throw new Error('settle_found without evidence');
      o.effect_reference = evidence.effect_reference ?? null;
      o.response = evidence.response === undefined ? o.response : evidence.response;
      o.response_sealed = evidence.response_sealed ?? o.response_sealed;
      o.resolved_by = evidence.source === 'late_answer' ? 'executor' : 'reconciler';
      o.reason = null;
      return;
    case 'refuse':
    case 'settle_refused':
      o.reason = item.reason ?? 'refused';
      o.resolved_by = event === 'refuse' ? 'executor' : 'reconciler';
      return;
    case 'give_up':
      o.reason = was.pending_reason === 'accepted' ? 'job_lost' : (item.reason ?? 'recovery_exhausted');
      return;
    case 'abandon':
      o.reason = 'never_sent';
      o.resolved_by = 'reconciler';
      return;
    case 'acquire':
    case 'send':
    case 'accept':
    case 'release':
    case 'doubt':
    case 'expire':
    case 'settle_absent':
    case 'resend':
    case 'request_approval':
    case 'compact':
      return;
  }
}

/** Closes a change: retention from the end, the case where another receipt is known, and from when it is work. */
export function close(
  event: ExecutorEvent,
  o: StoredRow,
  contract: StoredContract,
  at: number,
  namesAnother: boolean,
): StoredRow {
  if (event !== 'compact' && isTerminal(o)) o.expires_at = at + contract.retention_seconds * 1000;
  if (o.status === 'applied' && namesAnother) o.contradicted_at ??= at;
  o.case_at = caseAt(o, contract, at);
  return o;
}
