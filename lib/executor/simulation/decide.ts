import type { Verdict } from '../../domain/states.ts';
import { isAllowed } from '../../domain/transitions.ts';
import { judgeVerdict, type Refusal } from '../../domain/verdict.ts';
import { caseAt } from './stored-facts.ts';
import type { StoreModel } from './store-model.ts';
import type { StoredContract, StoredRow } from './stored-row.ts';

export interface Decision {
  operation_key: string;
  /** The version that the person saw. */
  version: number;
  verdict: Verdict;
  reference: string | null;
  secondPerson: boolean;
}

export type Decided =
  | { outcome: 'decided'; successor: string | null }
  | { outcome: 'conflict' }
  | { outcome: 'refused'; refusal: Refusal };

/** A person's verdict in one statement, as `app.decide`: version check, status, successor. */
export function decide(store: StoreModel, decision: Decision, at: number): Decided {
  const row = store.rows.get(decision.operation_key);
  if (row === undefined) throw new Error(`no operation ${decision.operation_key}`);
  if (row.version !== decision.version) return { outcome: 'conflict' };
  const reference = decision.reference?.trim() || null;
  const beside = store.beside(row);
  const { verdict } = decision;
  const judged = judgeVerdict(verdict, store.facts(row), {
    roles: ['operator'],
    receipt: reference,
    receiptTaken: verdict === 'applied' && isTaken(store, row, reference),
    secondPerson: decision.secondPerson,
  });
  if (!judged.allowed) return { outcome: 'refused', refusal: judged.refusal };

  const successor = verdict === 'approved_new_key' ? successorOf(store, row.operation_key) : null;
  const decided: StoredRow = {
    ...row,
    status: verdict,
    pending_reason: null,
    version: row.version + 1,
    updated_at: at,
    reason: verdict === 'failed_permanent' ? 'decided' : null,
    lease_token: null,
    lease_until: null,
    lease_owner: null,
    next_attempt_at: null,
    case_at: null,
    resolved_by: 'decision',
    expires_at: at + beside.contract.retention_seconds * 1000,
    successor_key: successor,
  };
  if (verdict === 'applied') {
    decided.effect_reference = reference;
    decided.doubt_attempt = null;
    decided.recover_until = null;
    if (decided.response === undefined && beside.evidence?.effect_reference === reference)
      decided.response = beside.evidence?.response;
    const found = store.evidence
      .get(row.operation_key)
      ?.filter((l) => l.answer === 'found' && l.authoritative);
    if (row.evidence === 'found' && found?.some((l) => (l.effect_reference ?? reference) !== reference))
      decided.contradicted_at ??= at;
  }
  if (decided.contradicted_at !== null) decided.case_at = at;
  store.write(decided);
  if (successor !== null) store.write(newSuccessor(row, successor, beside.contract, at));
  return { outcome: 'decided', successor };
}

const isTaken = (store: StoreModel, row: StoredRow, reference: string | null) =>
  [...store.rows.values()].some(
    (x) =>
      x.effect_reference === reference &&
      x.tool_name === row.tool_name &&
      x.operation_key !== row.operation_key,
  );

/** key + !n, where n counts the successors of the same first key */
function successorOf(store: StoreModel, key: string): string {
  const [, base = key, n = '0'] = /^(.*?)(?:!(\d+))?$/.exec(key) ?? [];
  const successor = `${base}!${Number(n) + 1}`;
  return store.rows.has(successor) ? successorOf(store, successor) : successor;
}

/** What identifies the request goes over; what happened does not. */
function newSuccessor(row: StoredRow, key: string, contract: StoredContract, at: number): StoredRow {
  const successor: StoredRow = {
    ...row,
    operation_key: key,
    supersedes_key: row.operation_key,
    successor_key: null,
    status: 'pending',
    pending_reason: 'ready',
    reason: null,
    attempt: 0,
    sent_attempt: null,
    doubt_attempt: null,
    first_sent_at: null,
    sent_at: null,
    quiet_until: null,
    attempt_ended_at: null,
    held_since: at,
    downstream_key: null,
    downstream_request_id: null,
    lease_owner: null,
    lease_token: null,
    lease_until: null,
    next_attempt_at: at,
    recover_until: null,
    provider_job_id: null,
    effect_reference: null,
    response: undefined,
    response_sealed: null,
    evidence: null,
    evidence_id: null,
    evidence_asked_at: null,
    contradicted_at: null,
    resolved_by: null,
    version: 1,
    created_at: at,
    updated_at: at,
    expires_at: null,
    tombstoned_at: null,
  };
  return { ...successor, case_at: caseAt(successor, contract, at) };
}

/** An approver's answer, once, for the version that was seen, as `app.decide_approval`; false where it came too late. */
export function decideApproval(
  store: StoreModel,
  {
    operation_key: key,
    version,
    answer,
  }: { operation_key: string; version: number; answer: 'approve' | 'deny' },
  at: number,
): boolean {
  const row = store.rows.get(key);
  if (row === undefined) throw new Error(`no operation ${key}`);
  const approvals = store.approvals.get(key) ?? [];
  const asked = approvals.at(-1);
  if (row.version !== version || asked?.state !== 'requested' || !isAllowed(answer, store.facts(row)))
    return false;
  const { contract } = store.beside(row);
  const isApproved = answer === 'approve';
  store.approvals.set(key, [
    ...approvals.slice(0, -1),
    {
      ...asked,
      state: isApproved ? 'approved' : 'denied',
      valid_until: isApproved ? at + (contract.approval_valid_seconds ?? 300) * 1000 : null,
    },
  ]);
  const changed = { ...row, version: row.version + 1, updated_at: at };
  const answered: StoredRow = isApproved
    ? { ...changed, pending_reason: 'ready', next_attempt_at: at }
    : {
        ...changed,
        status: 'failed_permanent',
        pending_reason: null,
        reason: 'approval_denied',
        resolved_by: 'decision',
        next_attempt_at: null,
        expires_at: at + contract.retention_seconds * 1000,
      };
  store.write({ ...answered, case_at: caseAt(answered, contract, at) });
  return true;
}
