import { answer, type Answer } from '../domain/answer.ts';
import type { Facts } from '../domain/facts.ts';
import { instructionFor } from '../domain/instructions.ts';
import type { Outcome } from '../domain/outcome.ts';
import { OUTCOME_REASONS, type OutcomeReason, type Verdict } from '../domain/states.ts';
import { isAllowed, nextState } from '../domain/transitions.ts';
import { VERDICT_EVENTS } from '../domain/verdict.ts';
import type { OperationRecord } from '../shapes/operation-record.ts';

/** What the agent gets for the same call: an outcome, or the one thing that would be done first. */
export type NextCall = { outcome: Outcome } | { does: Exclude<Answer['do'], 'answer'> };

const isReason = (reason: string | null): reason is OutcomeReason =>
  (OUTCOME_REASONS as readonly (string | null)[]).includes(reason);

/** The key of the one successor, as `app.successor_key` makes it: the first key + `!1`, then `!2`. */
export function successorKeyOf(key: string): string {
  const [, base = key, n = '0'] = /^(.*?)(?:!(\d+))?$/s.exec(key) ?? [];
  return `${base}!${Number(n) + 1}`;
}

/**
 * The same call, delivered at `now` by an authorized caller with the same request and contract version. Field by
 * field what the executor's own `answeredOutcome` makes of the record.
 */
export function nextCall(facts: Facts, record: OperationRecord, now: number): NextCall {
  const said = answer(facts, {
    authorized: true,
    matches: true,
    consumer: false,
    lateArrival: 'reject',
    storedReason: isReason(record.reason) ? record.reason : null,
  });
  if (said.do !== 'answer') return { does: said.do };
  const outcome: Outcome = {
    status: said.status,
    operation_key: record.operation_key,
    effect_reference: said.reveals ? record.effect_reference : null,
    result: said.reveals && said.status === 'replayed' ? (record.response_json ?? null) : null,
    repeated: said.reveals && said.repeated,
    attempt: said.reveals ? record.attempt : 0,
    safe_to_repeat: said.reveals && said.safeToRepeat,
    next_action: said.nextAction,
    instruction: instructionFor(said.status, said.reason, said.nextAction),
  };
  if (said.reason !== null) outcome.reason = said.reason;
  if (!said.reveals) {
    if (said.reason === 'fingerprint_mismatch')
      outcome.versions = { stored: record.tool_version, incoming: record.tool_version };
    return { outcome };
  }
  if (said.nextAction === 'poll') outcome.retry_after_seconds = waitSeconds(record, now);
  if (said.nextAction === 'use_successor_key' && record.successor_key !== null)
    outcome.successor_key = record.successor_key;
  if (said.repeated && record.first_recorded_at !== null)
    outcome.first_recorded_at = record.first_recorded_at;
  return { outcome };
}

function waitSeconds(record: OperationRecord, now: number): number {
  const until = record.lease_until ?? record.next_attempt_at;
  return until === null ? 1 : Math.max(1, Math.ceil((Date.parse(until) - now) / 1000));
}

/**
 * What the agent's next call gets once this verdict is recorded, `now` standing for the time of recording; null where
 * the verdict is not allowed at all. `evidenceResponse` is what the evidence for this very receipt brought.
 */
export function nextCallAfter(
  verdict: Verdict,
  facts: Facts,
  record: OperationRecord,
  said: { receipt: string | null; evidenceResponse?: unknown; now: number },
): NextCall | null {
  const event = VERDICT_EVENTS[verdict];
  if (event === 'amend' || !isAllowed(event, facts)) return null;
  const { status } = nextState(event, facts);
  const isApplied = verdict === 'applied';
  const after: OperationRecord = {
    ...record,
    status,
    pending_reason: null,
    reason: verdict === 'failed_permanent' ? 'decided' : null,
    effect_reference: isApplied ? said.receipt : record.effect_reference,
    // as `app.decide` does: what is stored stays
    response_json: isApplied ? (record.response_json ?? said.evidenceResponse ?? null) : record.response_json,
    successor_key: verdict === 'approved_new_key' ? successorKeyOf(record.operation_key) : null,
    first_recorded_at: new Date(said.now).toISOString(),
  };
  const resolved: Facts = {
    ...facts,
    status,
    pendingReason: 'none',
    lease: 'none',
    doubt: 'none',
    contradicted: false,
    retention: 'within',
  };
  return nextCall(resolved, after, said.now);
}
