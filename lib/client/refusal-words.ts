import type { Action } from '../domain/verdict.ts';
import type { Refusal } from '../domain/verdict.ts';

/** Why an action is not possible, and who or what would make it so: shown on the action itself. */
const WORDS: Record<Refusal, string> = {
  not_granted: 'Not possible with your role here. An operator of this tenant and environment can.',
  already_resolved: 'Already resolved. Nothing is left to decide.',
  being_attempted: 'A worker holds the lease and may be sending now. Possible once the lease has run out.',
  effect_found: 'Not possible: the effect was found in the system of record.',
  older_epoch: 'Not possible until an administrator accepts the database fail-over.',
  receipt_required: 'A receipt is required: the downstream id that proves it.',
  second_person_required: 'Needs a second person: nothing proves that it did not happen.',
  predecessor_changed: 'Not possible: the operation that this key succeeds was decided anew.',
  own_proposal: 'Your own proposal. It needs another person.',
  grant_too_new: 'Your role as an approver is newer than this proposal.',
  no_lookup: 'This tool has no lookup. Check the system of record by hand.',
  not_an_operation: 'There is no such operation.',
};

/** `second_person_required` for applied has another ground than for the two verdicts of absence. */
export function refusalWords(refusal: Refusal, action: Action): string {
  if (refusal === 'second_person_required' && action === 'applied')
    return 'Needs a second person: absence is proven, or another operation has this receipt.';
  return WORDS[refusal];
}
