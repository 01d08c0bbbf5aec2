import { isAllowed, isConclusivelyAbsent, isDoubtless, isFound, isTerminal } from './transitions.ts';
import type { Facts } from './facts.ts';
import type { Event, Role, Verdict } from './states.ts';

export const VERDICT_EVENTS: Record<Verdict, Event> = {
  applied: 'decide_applied',
  failed_permanent: 'decide_failed',
  approved_new_key: 'decide_new_key',
};

/** The event of a verdict: on what is resolved it amends, on what is open it decides. */
const eventOf = (verdict: Verdict, f: Facts): Event => (isTerminal(f) ? 'amend' : VERDICT_EVENTS[verdict]);

/** Why a verdict, a proposal, its approval or a look-up is not possible; the words for people stand beside the screen. */
export const REFUSALS = [
  'not_granted',
  'already_resolved',
  'being_attempted',
  'effect_found',
  'older_epoch',
  'receipt_required',
  'second_person_required',
  'predecessor_changed',
  'own_proposal',
  'grant_too_new',
  'no_lookup',
  'not_an_operation',
] as const;
export type Refusal = (typeof REFUSALS)[number];

export interface VerdictContext {
  /** The caller's roles for the case's tenant and environment, read from the database. */
  roles: readonly Role[];
  /** The receipt that the verdict names, if any. */
  receipt?: string | null;
  /** The receipt is already recorded by another operation. */
  receiptTaken?: boolean;
  /** A second person has approved exactly this proposal. */
  secondPerson?: boolean;
}

export type Judgement = { allowed: true; refusal: null } | { allowed: false; refusal: Refusal };

const YES: Judgement = { allowed: true, refusal: null };
const no = (refusal: Refusal): Judgement => ({ allowed: false, refusal });

/** Does this verdict need a second person (DESIGN §8)? An amendment always does. Independent of who asks. */
export function needsSecondPerson(verdict: Verdict, f: Facts, receiptTaken = false): boolean {
  if (isTerminal(f)) return true;
  const absent = isConclusivelyAbsent(f);
  if (verdict === 'applied') return absent || receiptTaken;
  if (verdict === 'approved_new_key' && f.jobOpen) return true;
  return !absent && !isDoubtless(f);
}

/**
 * May an amendment of its predecessor revoke this successor? Only while it provably has not run: a lease of an attempt
 * that was not sent is fenced by the revocation.
 */
export const isRevocable = (f: Facts) => f.status === 'pending' && isDoubtless(f) && !isFound(f);

/**
 * May this person record this verdict on an operation with these facts? Page and server take the answer from
 * here; `decide` in SQL is tested equal to it.
 */
export function judgeVerdict(verdict: Verdict, f: Facts, context: VerdictContext): Judgement {
  if (!context.roles.includes('operator')) return no('not_granted');
  if (f.status === 'none') return no('not_an_operation');
  if (f.lease === 'live') return no('being_attempted');
  if (isTerminal(f) && (!f.contradicted || verdict === 'approved_new_key')) return no('already_resolved');
  if (verdict !== 'applied' && isFound(f)) return no('effect_found');
  if (verdict === 'approved_new_key' && f.predecessor === 'changed') return no('predecessor_changed');
  if (!isAllowed(eventOf(verdict, f), f)) return no('older_epoch');
  if (verdict === 'applied' && context.receipt !== undefined && !context.receipt?.trim())
    return no('receipt_required');
  if (needsSecondPerson(verdict, f, context.receiptTaken) && !context.secondPerson)
    return no('second_person_required');
  return YES;
}

export type Action = 'look_up' | Verdict;

/** Every action of the case screen with its answer; an action that is not allowed stays visible and says why. */
export function allowedActions(f: Facts, roles: readonly Role[]): Record<Action, Judgement> {
  return {
    look_up: judgeLookUp(f, roles),
    applied: judgeVerdict('applied', f, { roles }),
    failed_permanent: judgeVerdict('failed_permanent', f, { roles }),
    approved_new_key: judgeVerdict('approved_new_key', f, { roles }),
  };
}

/** A look-up is a question: it stores evidence and settles nothing. */
export function judgeLookUp(f: Facts, roles: readonly Role[]): Judgement {
  if (!roles.includes('operator')) return no('not_granted');
  if (f.status === 'none') return no('not_an_operation');
  return f.capabilities.lookup === 'none' ? no('no_lookup') : YES;
}
