import type { EvidenceAnswer } from '../domain/states.ts';

/** Names of colour roles in the tokens. */
export type Tone = 'applied' | 'replayed' | 'inflight' | 'rejected' | 'unknown' | 'failed' | 'newkey';
export type Shape = 'check' | 'question' | 'quarter' | 'cross' | 'fork' | 'ring' | 'alert' | 'minus';

/** How a state looks and reads: shape + word + colour, together, everywhere. */
export interface StateMark {
  word: string;
  tone: Tone;
  shape: Shape;
}

const MARKS: Readonly<Record<string, StateMark>> = {
  pending: { word: 'pending', tone: 'inflight', shape: 'quarter' },
  applied: { word: 'applied', tone: 'applied', shape: 'check' },
  failed_permanent: { word: 'failed permanently', tone: 'failed', shape: 'cross' },
  unknown: { word: 'unknown', tone: 'unknown', shape: 'question' },
  approved_new_key: { word: 'approved new key', tone: 'newkey', shape: 'fork' },
};

const PENDING_WORDS: Readonly<Record<string, string>> = {
  leased: 'leased',
  ready: 'ready',
  accepted: 'accepted',
  queued: 'queued',
  awaiting_approval: 'awaiting approval',
  recovering: 'recovering',
};

/** A status that we do not know is shown as it is, and looks like the doubt that it is. */
export function stateMark(of: { status: string; contradicted?: boolean }): StateMark {
  const known = MARKS[of.status];
  if (!known) return { word: of.status, tone: 'unknown', shape: 'question' };
  return of.contradicted ? { word: `${known.word}, contradicted`, tone: 'unknown', shape: 'alert' } : known;
}

/** What a pending operation waits in, as a word; null for others. */
export const pendingWord = (reason: string | null) =>
  reason === null ? null : (PENDING_WORDS[reason] ?? reason);

const EVIDENCE_MARKS: Record<EvidenceAnswer, StateMark> = {
  found: { word: 'Found', tone: 'applied', shape: 'check' },
  absent: { word: 'Absent', tone: 'rejected', shape: 'minus' },
  pending: { word: 'Still pending', tone: 'inflight', shape: 'quarter' },
  refused: { word: 'Refused', tone: 'failed', shape: 'cross' },
  ambiguous: { word: 'Ambiguous', tone: 'unknown', shape: 'question' },
  failed: { word: 'Lookup failed', tone: 'unknown', shape: 'alert' },
};

export const evidenceMark = (answer: EvidenceAnswer): StateMark => EVIDENCE_MARKS[answer];
