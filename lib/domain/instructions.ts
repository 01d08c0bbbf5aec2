import type { NextAction, OutcomeReason, OutcomeStatus } from './states.ts';

const SENTENCES = {
  applied: 'Done: the effect happened once and its receipt is recorded. Do not call again for this step.',
  replayed: 'Already done by an earlier delivery: this is its recorded result, and nothing new happened.',
  'in_flight/leased':
    'Another worker is performing this operation. Ask for its status later; do not start it again.',
  'in_flight/scheduled':
    'This operation waits for its next attempt. Ask for its status after the stated time.',
  'in_flight/job':
    'The provider accepted this operation as a job that is not finished. Ask for its status later; do not start a second one.',
  'in_flight/queued': 'This operation is queued. Ask for its status later; do not start it again.',
  'in_flight/recovering':
    'The outcome is being looked up in the system of record. Ask for the status later; do not start it again.',
  'in_flight/version_not_held':
    'This operation was started under another version of the tool and is finished there. Ask for its status later.',
  'in_flight/fail_over':
    'The record is being checked after a database fail-over. Ask for the status later; do not start it again.',
  'rejected/invalid_arguments':
    'The arguments cannot be used, and nothing happened. Correct what the message names, then call again.',
  'rejected/unauthorized':
    'This actor may not perform or see this operation now. Do not try other arguments or another key.',
  'rejected/manual_only': 'This tool is not run automatically. Ask a person.',
  'rejected/fingerprint_mismatch':
    'This operation key belongs to a different request. Nothing happened. Have the stored operation inspected; do not change the key to get through.',
  'rejected/expired_operation':
    'This operation key is past its retention and is never run again. Have the old operation inspected before a new one is approved.',
  'rejected/superseded': 'A person closed this operation key. Nothing happens under it any more.',
  'rejected/approval_required': 'A person must approve this operation before it runs. Nothing happened yet.',
  'rejected/sibling':
    'The same request is already known under another step. State the new reason for it and have it approved.',
  'rejected/not_sent':
    'The effect was not sent this time, and nothing new happened. Call again with the same step after the stated time.',
  'rejected/attempts_spent': 'All attempts of this operation are used. A person has to decide about it.',
  'rejected/refused':
    'The system of record refused this request definitively. It did not happen and will not under this key.',
  'rejected/precondition_failed':
    'A precondition no longer holds, so it was not done and will not be under this key.',
  'rejected/approval_denied':
    'A person denied this operation. It did not happen and will not under this key.',
  'rejected/never_sent': 'This operation was given up before anything was sent. It did not happen.',
  'rejected/revoked': 'This operation was withdrawn by a person before it ran. It did not happen.',
  'rejected/decided': 'A person established that it did not happen and closed this operation key.',
  'rejected/fail_over':
    'New operations of this tool are held back after a database fail-over. Nothing happened. Call again later.',
  'rejected/job_lost': 'The operation failed at its provider.',
  unknown:
    'It may have happened and cannot be proved yet. Do not call again and do not use another key: a person is checking the outcome.',
} as const;

const isSentence = (key: string): key is keyof typeof SENTENCES => Object.hasOwn(SENTENCES, key);

/**
 * The fixed sentence for the model: by status and reason, by status where the reason changes nothing to do.
 * @throws if the pair has none, which the totality test excludes.
 */
export function instructionFor(
  status: OutcomeStatus,
  reason: OutcomeReason | null,
  nextAction: NextAction,
): string {
  if (reason === 'superseded' && nextAction === 'use_successor_key')
    return 'A person closed this operation key and approved one successor. Deliver the same request with the successor key.';
  const pair = `${status}/${reason ?? ''}`;
  if (isSentence(pair)) return SENTENCES[pair];
  if (status === 'applied' || status === 'replayed' || status === 'unknown') return SENTENCES[status];
  throw new Error(`no instruction for ${pair}`);
}
