import type { NextAction, OutcomeReason, OutcomeStatus } from './states.ts';

/** What `execute` and `status` return; the field names are those of the article and cross to the model. */
export interface Outcome<R = unknown> {
  status: OutcomeStatus;
  operation_key: string;
  /** The downstream id of the effect; null where it is unknown or may not be revealed. */
  effect_reference: string | null;
  /** The contract's replay fields. */
  result: R | null;
  /** This answer was recorded by an earlier delivery. */
  repeated: boolean;
  attempt: number;
  /** True only if nothing happened and the same call may now succeed. */
  safe_to_repeat: boolean;
  next_action: NextAction;
  /** One fixed sentence per (status, reason), written for the model. */
  instruction: string;
  reason?: OutcomeReason;
  retry_after_seconds?: number;
  successor_key?: string;
  /** ISO 8601, UTC. */
  first_recorded_at?: string;
  versions?: { stored: string; incoming: string };
  /** Of `invalid_arguments`: where, and one sentence that says what and what to do; never the value. */
  problem?: { path: string; message: string };
}
