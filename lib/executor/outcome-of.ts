import type { Answer } from '../domain/answer.ts';
import { instructionFor } from '../domain/instructions.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { NextAction, OutcomeReason, OutcomeStatus } from '../domain/states.ts';
import type { InvalidArguments } from './identity/invalid-arguments.ts';
import type { OperationRecord } from './ports.ts';

/** An outcome with nothing to reveal: what a denial or a refusal before the claim returns. */
export function bareOutcome(
  operationKey: string,
  status: OutcomeStatus,
  reason: OutcomeReason | null,
  nextAction: NextAction,
): Outcome {
  return {
    status,
    operation_key: operationKey,
    effect_reference: null,
    result: null,
    repeated: false,
    attempt: 0,
    safe_to_repeat: false,
    next_action: nextAction,
    instruction: instructionFor(status, reason, nextAction),
    ...(reason !== null && { reason }),
  };
}

/** Refused before anything was claimed; `problem` says what, where and what to do, without the value. */
export function invalidOutcome(
  operationKey: string,
  error: Pick<InvalidArguments, 'path' | 'message'>,
): Outcome {
  return {
    ...bareOutcome(operationKey, 'rejected', 'invalid_arguments', 'fix_arguments'),
    problem: { path: error.path, message: error.message },
  };
}

/** This worker performed the effect and recorded it. */
export function appliedOutcome(record: OperationRecord): Outcome {
  return {
    ...bareOutcome(record.operation_key, 'applied', null, 'none'),
    effect_reference: record.effect_reference,
    result: record.response,
    attempt: record.attempt,
  };
}

type FixedAnswer = Extract<Answer, { do: 'answer' }>;

/** A stored operation's answer; what it may not reveal is null. */
export function answeredOutcome(
  record: OperationRecord,
  said: FixedAnswer,
  incomingVersion: string,
): Outcome {
  const bare = bareOutcome(record.operation_key, said.status, said.reason, said.nextAction);
  if (!said.reveals)
    return {
      ...bare,
      ...(said.reason === 'fingerprint_mismatch' && {
        versions: { stored: record.tool_version, incoming: incomingVersion },
      }),
    };
  return {
    ...bare,
    effect_reference: record.effect_reference,
    result: said.status === 'replayed' ? record.response : null,
    repeated: said.repeated,
    attempt: record.attempt,
    safe_to_repeat: said.safeToRepeat,
    ...(said.nextAction === 'poll' && { retry_after_seconds: waitSeconds(record) }),
    ...(said.nextAction === 'use_successor_key' &&
      record.successor_key !== null && { successor_key: record.successor_key }),
    ...(said.repeated &&
      record.first_recorded_at !== null && { first_recorded_at: record.first_recorded_at }),
  };
}

/** After `release`: nothing happened in this attempt, and the same call may be delivered again. */
export function notSentOutcome(record: OperationRecord): Outcome {
  return {
    ...bareOutcome(record.operation_key, 'rejected', 'not_sent', 'retry_later'),
    attempt: record.attempt,
    safe_to_repeat: record.doubt_attempt === null,
    retry_after_seconds: waitSeconds(record),
  };
}

const waitSeconds = (record: OperationRecord) => Math.max(1, Math.ceil(record.wait_ms / 1000));
