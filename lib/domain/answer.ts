import type { Facts } from './facts.ts';
import { isAllowed, isFound } from './transitions.ts';
import type { NextAction, OutcomeReason, OutcomeStatus } from './states.ts';

/** What this delivery brings, besides the stored facts. */
export interface Delivery {
  authorized: boolean;
  /** Same tool and fingerprint under the record's own contract version (DESIGN §5). */
  matches: boolean;
  /** The delivery is the queue consumer's own. */
  consumer: boolean;
  lateArrival: 'reject' | 'tombstone' | 'reconcile_first';
  /** The stored reason of a terminal or unknown row. */
  storedReason: OutcomeReason | null;
}

/** Either a fixed answer, or the one event to fire before the operation is answered again. */
export type Answer =
  | { do: 'claim' | 'acquire' | 'expire' | 'request_approval' | 'reconcile_first' }
  | {
      do: 'answer';
      status: Exclude<OutcomeStatus, 'applied'>;
      reason: OutcomeReason | null;
      nextAction: NextAction;
      /** Reference, result, times and successor may be shown to this caller. */
      reveals: boolean;
      safeToRepeat: boolean;
      /** The answer was recorded by an earlier delivery. */
      repeated: boolean;
    };

const say = (
  status: Exclude<OutcomeStatus, 'applied'>,
  reason: OutcomeReason | null,
  nextAction: NextAction,
  more: Partial<{ reveals: boolean; safeToRepeat: boolean; repeated: boolean }> = {},
): Answer => ({
  do: 'answer',
  status,
  reason,
  nextAction,
  reveals: true,
  safeToRepeat: false,
  repeated: false,
  ...more,
});

const inFlight = (reason: OutcomeReason) => say('in_flight', reason, 'poll');

/**
 * What `execute` answers to a delivery, in the order of DESIGN §4. Total: every reachable combination of
 * facts has exactly one answer. Shared by the executor, the simulation and the console's preview.
 */
export function answer(f: Facts, d: Delivery): Answer {
  if (!d.authorized) return say('rejected', 'unauthorized', 'none', { reveals: false });
  if (f.status === 'none') return answerToNew(f);
  if (f.adopted || !d.matches)
    return say('rejected', 'fingerprint_mismatch', 'inspect_operation', { reveals: false });
  if (f.status === 'approved_new_key') return say('rejected', 'superseded', 'use_successor_key');
  if (f.retention === 'past' && (f.status === 'applied' || f.status === 'failed_permanent'))
    return answerToLate(f, d);
  if (f.status === 'applied') return say('replayed', null, 'none', { repeated: true });
  if (f.status === 'failed_permanent')
    return say('rejected', d.storedReason ?? 'decided', 'none', { repeated: true });
  if (f.status !== 'pending') return say('unknown', d.storedReason, 'reconcile');
  return answerToPending(f, d);
}

function answerToNew(f: Facts): Answer {
  if (f.epoch === 'older' && f.capabilities.resend !== 'keyed')
    return say('rejected', 'fail_over', 'retry_later', { safeToRepeat: true });
  if (f.manual) return say('rejected', 'manual_only', 'none');
  if (f.approval === 'missing') return { do: 'request_approval' };
  return { do: 'claim' };
}

function answerToLate(f: Facts, d: Delivery): Answer {
  if (d.lateArrival === 'reconcile_first') return { do: 'reconcile_first' };
  if (d.lateArrival === 'tombstone' && f.status === 'applied')
    return say('replayed', null, 'none', { repeated: true });
  return say('rejected', 'expired_operation', 'inspect_operation', { repeated: true });
}

function answerToPending(f: Facts, d: Delivery): Answer {
  if (f.pendingReason === 'leased') return f.lease === 'live' ? inFlight('leased') : { do: 'expire' };
  if (f.pendingReason === 'accepted') return inFlight('job');
  if (f.pendingReason === 'queued' && !d.consumer) return inFlight('queued');
  if (f.pendingReason === 'awaiting_approval')
    return say('rejected', 'approval_required', 'ask_for_approval');
  if (f.pendingReason === 'recovering') return inFlight('recovering');
  if (f.epoch === 'older') return inFlight('fail_over');
  if (f.pendingReason === 'ready' && !f.due) return inFlight('scheduled');
  if (!f.versionHeld) return inFlight('version_not_held');
  if (isFound(f)) return inFlight('recovering');
  const acquirable = isAllowed('acquire', f);
  if (f.doubt !== 'none' && !acquirable) return inFlight('recovering');
  if (!f.attemptsLeft) return say('rejected', 'attempts_spent', 'inspect_operation');
  if (f.predecessor === 'changed') return say('rejected', 'superseded', 'inspect_operation');
  if (f.manual) return say('rejected', 'manual_only', 'none');
  if (f.approval === 'missing') return { do: 'request_approval' };
  return { do: 'acquire' };
}
