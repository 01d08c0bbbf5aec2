import type { Refusal } from '../domain/verdict.ts';
import { ServiceError } from '../errors.ts';

/**
 * The error of a verdict, a proposal or an answer to one that was refused; the refusal travels in the details.
 * `whoMay` says whose role it takes.
 */
export const refuseVerdict = (refusal: Refusal, whoMay: string) =>
  new ServiceError(codeOf(refusal), refusal === 'not_granted' ? whoMay : SENTENCES[refusal], {
    details: { refusal },
  });

/** A receipt that is missing is the caller's to correct; who may say it is not; everything else is the state of the case. */
function codeOf(refusal: Refusal) {
  if (refusal === 'not_granted' || refusal === 'own_proposal' || refusal === 'grant_too_new')
    return 'forbidden';
  return refusal === 'receipt_required' ? 'unprocessable' : 'conflict';
}

const SENTENCES: Record<Exclude<Refusal, 'not_granted'>, string> = {
  already_resolved: 'The case is already resolved. Nothing was recorded.',
  being_attempted: 'A worker holds the lease and may be sending now. Nothing was recorded.',
  effect_found: 'The effect was found in the system of record. Nothing was recorded.',
  older_epoch: 'The database fail-over has to be accepted first. Nothing was recorded.',
  receipt_required: 'It happened needs a receipt: the downstream id that proves it.',
  second_person_required: 'This verdict needs a second person. Nothing was recorded.',
  predecessor_changed: 'The operation that this key succeeds was decided anew. Nothing was recorded.',
  own_proposal: 'A proposal needs another person than the one who made it. Nothing was recorded.',
  grant_too_new: 'Your role as an approver is newer than the proposal. Nothing was recorded.',
  no_lookup: 'This tool has no lookup.',
  not_an_operation: 'There is no such operation.',
};
