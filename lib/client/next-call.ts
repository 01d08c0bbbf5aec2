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

/** The key of the one successor: the key + `!n`; a successor's own successor counts on. */
export function successorKeyOf(key: string): string {
  const [, base = key, n = '0'] = /^(.*?)(?:!([1-9]\d*))?$/s.exec(key) ?? [];
  return `${base}!${Number(n) + 1}`;
}

/** The same call, delivered now by an authorized caller with the same request. */
export function nextCall(facts: Facts, record: OperationRecord): NextCall {
  const storedReason = isReason(record.reason) ? record.reason : null;
  const said = answer(facts, {
    authorized: true,
    matches: true,
    consumer: false,
    lateArrival: 'reject',
    storedReason,
  });
  if (said.do !== 'answer') return { does: said.do };
  const isApplied = record.status === 'applied';
  const outcome: Outcome = {
    status: said.status,
    operation_key: record.operation_key,
    effect_reference: said.reveals && isApplied ? record.effect_reference : null,
    result: said.reveals && isApplied ? (record.response_json ?? null) : null,
    repeated: said.repeated,
    attempt: record.attempt,
    safe_to_repeat: said.safeToRepeat,
    next_action: said.nextAction,
    instruction: instructionFor(said.status, said.reason, said.nextAction),
    ...(said.reason === null ? {} : { reason: said.reason }),
    ...(said.reveals && record.successor_key !== null ? { successor_key: record.successor_key } : {}),
  };
  return { outcome };
}

/** What the agent's next call gets once this verdict is recorded; null where the verdict is not allowed at all. */
export function nextCallAfter(
  verdict: Verdict,
  facts: Facts,
  record: OperationRecord,
  receipt: string | null,
  evidenceResponse: unknown = null,
): NextCall | null {
  const event = VERDICT_EVENTS[verdict];
  if (!isAllowed(event, facts)) return null;
  const { status } = nextState(event as Exclude<typeof event, 'amend'>, facts);
  const after: OperationRecord = {
    ...record,
    status,
    pending_reason: null,
    reason: verdict === 'failed_permanent' ? 'decided' : null,
    effect_reference: verdict === 'applied' ? receipt : record.effect_reference,
    // as `app.decide` does: what is stored stays, else what the evidence for this very receipt brought
    response_json: verdict === 'applied' ? (record.response_json ?? evidenceResponse) : null,
    successor_key: verdict === 'approved_new_key' ? successorKeyOf(record.operation_key) : null,
  };
  return nextCall(
    {
      ...facts,
      status,
      pendingReason: 'none',
      lease: 'none',
      doubt: 'none',
      contradicted: false,
      retention: 'within',
    },
    after,
  );
}
