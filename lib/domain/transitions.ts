import type { Facts } from './facts.ts';
import type { Event, PendingReason, Status } from './states.ts';
import { EVENTS } from './states.ts';

/**
 * The transition table (DESIGN §4): the only place that knows which change is allowed. `app.allowed` and
 * `app.next_state` in SQL are tested equal to it over the same enumeration. Who may fire an event is the
 * store's fence: the lease token for a worker, the version read for a reconciler, the grant for a person.
 */

/** No rule needs to name which found it was. */
export const isFound = (f: Facts) => f.evidence === 'found' || f.evidence === 'found_advisory';

/** May the effect be sent again although an attempt is in doubt? */
export const resendOpen = (f: Facts) =>
  f.capabilities.resend === 'absolute' || (f.capabilities.resend === 'keyed' && f.keyWindow === 'open');

/** A contract that can find out, or send again, has something to do before a person is needed. */
const isRecoverable = (f: Facts) =>
  !f.adopted && (f.capabilities.lookup !== 'none' || f.capabilities.resend !== 'never');

const isLeased = (f: Facts) => f.pendingReason === 'leased';
const isLive = (f: Facts) => f.lease === 'live';

/** An adopted pending row without a live lease is as recovering, a status that we do not know as unknown. */
const isRecovering = (f: Facts) =>
  f.pendingReason === 'recovering' || (f.adopted && f.status === 'pending' && !isLive(f));
const isUnknown = (f: Facts) => f.status === 'unknown' || f.status === 'unrecognised';
export const isTerminal = (f: Facts) =>
  f.status === 'applied' || f.status === 'failed_permanent' || f.status === 'approved_new_key';

/** A case that a person may decide, and evidence may settle: nobody is at work on it. */
const isOpen = (f: Facts) => isUnknown(f) || (f.status === 'pending' && !isLive(f));

/** Nothing of an older epoch counts as no doubt or as conclusive absence. */
export const isDoubtless = (f: Facts) => f.doubt === 'none' && (f.epoch === 'current' || f.status === 'none');
export const isConclusivelyAbsent = (f: Facts) => f.evidence === 'absent_conclusive' && f.epoch === 'current';

/** Everything that acquire asks besides being due. */
const mayAttempt = (f: Facts) =>
  f.attemptsLeft &&
  !f.manual &&
  f.approval !== 'missing' &&
  f.predecessor !== 'changed' &&
  !isFound(f) &&
  (isDoubtless(f) || resendOpen(f));

const settlesAbsent = (f: Facts) => isConclusivelyAbsent(f) && !(f.capabilities.delicate && !f.ended);

const mayResend = (f: Facts) =>
  f.attemptsLeft &&
  !f.recoverPassed &&
  !isFound(f) &&
  (f.capabilities.lookup === 'none' || f.asked) &&
  resendOpen(f);

/** Recovery has nothing allowed left: no lookup that may still settle, nothing that may be sent again. */
const isExhausted = (f: Facts) => {
  if (f.pendingReason === 'ready') return !mayAttempt(f) && f.evidence !== 'found';
  if (f.evidence === 'found' || f.pendingReason === 'accepted') return false;
  if (f.evidence === 'found_advisory') return true;
  if (isConclusivelyAbsent(f)) return !settlesAbsent(f);
  const lookupMayTell = f.capabilities.lookup !== 'none';
  const sendMayTell = f.capabilities.resend !== 'never' && f.attemptsLeft && resendOpen(f);
  return !lookupMayTell && !sendMayTell;
};

const GUARDS: Record<Event, (f: Facts) => boolean> = {
  claim: (f) => f.status === 'none',
  enqueue: (f) => f.status === 'none',
  request_approval: (f) =>
    f.approval === 'missing' &&
    isDoubtless(f) &&
    (f.status === 'none' || f.pendingReason === 'ready' || (isLeased(f) && !f.sent)),
  approve: (f) => f.pendingReason === 'awaiting_approval',
  deny: (f) => f.pendingReason === 'awaiting_approval' && isDoubtless(f) && !isFound(f),
  acquire: (f) =>
    ((f.pendingReason === 'ready' && f.due) || f.pendingReason === 'queued') &&
    f.versionHeld &&
    mayAttempt(f),
  send: (f) =>
    isLeased(f) &&
    isLive(f) &&
    !f.sent &&
    f.predecessor !== 'changed' &&
    !isFound(f) &&
    (isDoubtless(f) || resendOpen(f)),
  accept: (f) => isLeased(f) && f.sent,
  apply: (f) => isLeased(f) && f.sent,
  refuse: (f) => isLeased(f) && f.doubt !== 'earlier' && !isFound(f),
  release: (f) => isLeased(f) && f.doubt !== 'earlier' && !isFound(f),
  doubt: (f) => isLeased(f) && (f.doubt !== 'none' || isFound(f) || f.epoch === 'older'),
  expire: (f) => isLeased(f) && f.lease === 'expired',
  settle_found: (f) => isOpen(f) && f.evidence === 'found',
  settle_refused: (f) =>
    (isRecovering(f) || isUnknown(f) || f.pendingReason === 'accepted') &&
    f.evidence === 'refused_conclusive',
  settle_absent: (f) => (isRecovering(f) || isUnknown(f)) && settlesAbsent(f),
  resend: (f) => (isRecovering(f) || isUnknown(f)) && mayResend(f),
  give_up: (f) =>
    (isRecovering(f) ||
      f.pendingReason === 'accepted' ||
      (f.pendingReason === 'ready' && f.doubt !== 'none')) &&
    (f.recoverPassed || isExhausted(f)),
  decide_applied: isOpen,
  decide_failed: (f) => isOpen(f) && !isFound(f),
  decide_new_key: (f) => isOpen(f) && !isFound(f) && f.predecessor !== 'changed',
  amend: (f) => isTerminal(f) && f.contradicted,
  fail_over: (f) => (f.status === 'pending' || isUnknown(f)) && f.epoch === 'older',
  abandon: (f) =>
    (f.pendingReason === 'ready' ||
      f.pendingReason === 'queued' ||
      f.pendingReason === 'awaiting_approval') &&
    isDoubtless(f) &&
    !isFound(f) &&
    f.abandonPassed,
  compact: (f) => isTerminal(f) && !f.contradicted && f.retention === 'past',
};

/** What an older epoch still takes until a person accepts the fail-over (rule 13). */
const OLDER_EPOCH: ReadonlySet<Event> = new Set([
  'settle_found',
  'apply',
  'doubt',
  'expire',
  'decide_applied',
  'fail_over',
]);

/** Events that another executor's row never takes: it has no lease of ours, and no delivery could send it again. */
const NOT_ADOPTED: ReadonlySet<Event> = new Set([
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
  'settle_absent',
  'resend',
  'abandon',
]);

/** May this event change an operation with these facts? Fences (token, version, grant) come on top. */
export function isAllowed(event: Event, f: Facts): boolean {
  if (f.epoch === 'older' && f.status !== 'none' && !OLDER_EPOCH.has(event)) return false;
  if (f.adopted && NOT_ADOPTED.has(event)) return false;
  return GUARDS[event](f);
}

/** Every event that these facts allow, in the order of the table. */
export const allowedEvents = (f: Facts): Event[] => EVENTS.filter((event) => isAllowed(event, f));

/** Where an event leads. */
export interface State {
  status: Status;
  pendingReason: PendingReason | null;
}

const pending = (pendingReason: PendingReason): State => ({ status: 'pending', pendingReason });
const terminal = (status: Status): State => ({ status, pendingReason: null });
const inDoubt = (f: Facts): State => (isRecoverable(f) ? pending('recovering') : terminal('unknown'));

/**
 * The state after an allowed event. `amend` goes to what the person says, so it is not here;
 * `compact` keeps the status.
 */
export function nextState(event: Exclude<Event, 'amend'>, f: Facts): State {
  switch (event) {
    case 'claim':
    case 'acquire':
    case 'send':
      return pending('leased');
    case 'enqueue':
      return pending('queued');
    case 'request_approval':
      return pending('awaiting_approval');
    case 'accept':
      return pending('accepted');
    case 'approve':
    case 'release':
    case 'settle_absent':
    case 'resend':
      return pending('ready');
    case 'apply':
    case 'settle_found':
    case 'decide_applied':
      return terminal('applied');
    case 'deny':
    case 'refuse':
    case 'settle_refused':
    case 'decide_failed':
    case 'abandon':
      return terminal('failed_permanent');
    case 'decide_new_key':
      return terminal('approved_new_key');
    case 'give_up':
      return terminal('unknown');
    case 'doubt':
    case 'fail_over':
      return inDoubt(f);
    case 'expire':
      return !f.sent && isDoubtless(f) ? pending('ready') : inDoubt(f);
    case 'compact':
      return { status: f.status as Status, pendingReason: null };
  }
}
