/** Stored reasons in words that finish a sentence; a reason that we do not know is shown as it is. */
const WORDS: Readonly<Record<string, string>> = {
  no_answer: 'sent, no answer',
  unreadable_answer: 'answer could not be read',
  wrong_receipt: 'answer did not match the request',
  lease_expired: 'lease expired after send',
  recovery_exhausted: 'lookups ended without proof',
  job_lost: 'provider job never finished',
  fail_over: 'database fail-over, record unsure',
  adopted: 'written by another executor',
  refused: 'the system of record refused it',
  precondition_failed: 'a precondition no longer held',
  approval_denied: 'a person denied it',
  never_sent: 'given up before anything was sent',
  revoked: 'withdrawn before it ran',
  decided: 'a person established that it did not happen',
};

export const reasonWords = (reason: string) => WORDS[reason] ?? reason;
