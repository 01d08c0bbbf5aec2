import type { PendingReason, Status } from './states.ts';

/**
 * What the stored evidence proves at this moment, by the database clock.
 * `found_advisory` comes from a lookup that its contract does not call authoritative;
 * `absent_conclusive` was asked after quiet time + settle window of every attempt in doubt, with no job open;
 * `refused_conclusive` names the only attempt in doubt, or was asked after the last quiet time + settle window.
 */
export const EVIDENCE_FACTS = [
  'none',
  'found',
  'found_advisory',
  'absent',
  'absent_conclusive',
  'refused',
  'refused_conclusive',
  'inconclusive',
] as const;
export type EvidenceFact = (typeof EVIDENCE_FACTS)[number];

/** What a contract lets the machine do; read off its class, mode, downstream and lookup. */
export interface Capabilities {
  /** `authoritative` lookups may settle; `advisory` ones inform a person. */
  lookup: 'none' | 'advisory' | 'authoritative';
  /** Whether the effect may be sent again while in doubt. */
  resend: 'never' | 'keyed' | 'absolute';
  /** Irreversible or one-shot, without downstream deduplication. */
  delicate: boolean;
}

/** The finite view of one operation that every rule reads. Times are already compared, by the database clock. */
export interface Facts {
  /** `none`: no row. `unrecognised`: a status that another executor wrote and we do not know. */
  status: Status | 'none' | 'unrecognised';
  pendingReason: PendingReason | 'none';
  lease: 'none' | 'live' | 'expired';
  /** `sent_attempt` = `attempt`. */
  sent: boolean;
  /** `own`: the current attempt is the lowest in doubt. `earlier`: one before it is. */
  doubt: 'none' | 'own' | 'earlier';
  /** The worker of the attempt reported its end (an answer or an error), so it writes nothing more. */
  ended: boolean;
  due: boolean;
  attemptsLeft: boolean;
  evidence: EvidenceFact;
  /** A lookup was asked since the last send. */
  asked: boolean;
  /** The downstream still remembers the key at now + call budget + settle window. */
  keyWindow: 'open' | 'shut';
  /** `recover_until` has passed. */
  recoverPassed: boolean;
  /** A provider job is known and its own answer is not terminal. */
  jobOpen: boolean;
  versionHeld: boolean;
  approval: 'not_needed' | 'valid' | 'missing';
  /** `standing`: the operation that this one succeeds is approved_new_key and not contradicted. */
  predecessor: 'none' | 'standing' | 'changed';
  /** The contract's decision is `manual`. */
  manual: boolean;
  contradicted: boolean;
  retention: 'within' | 'past';
  abandonPassed: boolean;
  epoch: 'current' | 'older';
  adopted: boolean;
  capabilities: Capabilities;
}

/** An operation that does not exist yet. */
export const NO_OPERATION: Facts = {
  status: 'none',
  pendingReason: 'none',
  lease: 'none',
  sent: false,
  doubt: 'none',
  ended: false,
  due: true,
  attemptsLeft: true,
  evidence: 'none',
  asked: false,
  keyWindow: 'open',
  recoverPassed: false,
  jobOpen: false,
  versionHeld: true,
  approval: 'not_needed',
  predecessor: 'none',
  manual: false,
  contradicted: false,
  retention: 'within',
  abandonPassed: false,
  epoch: 'current',
  adopted: false,
  capabilities: { lookup: 'none', resend: 'never', delicate: false },
};

/**
 * Combinations that the table's CHECK or the transitions exclude; null for a reachable one, else the reason.
 * The totality test lists them, and every other combination must have an answer.
 */
export function unreachable(f: Facts): string | null {
  if (f.status === 'none')
    return f.pendingReason !== 'none' ||
      f.lease !== 'none' ||
      f.sent ||
      f.doubt !== 'none' ||
      f.adopted ||
      f.evidence !== 'none'
      ? 'a row that does not exist has no columns'
      : null;
  if (f.adopted) {
    if (f.pendingReason !== 'none')
      return 'pending reasons are ours, and an adopted row takes no event that sets one';
    if (f.status !== 'pending' && f.lease !== 'none') return 'only a pending row is leased';
    return f.doubt === 'none' ? 'an adopted row is in doubt' : null;
  }
  if (f.status === 'unrecognised') return 'only adopted rows have a status that we do not know';
  if ((f.status === 'pending') !== (f.pendingReason !== 'none'))
    return 'a pending row, and only it, has a pending reason';
  if ((f.pendingReason === 'leased') !== (f.lease !== 'none'))
    return 'a leased row, and only it, has a lease';
  if (f.doubt === 'own' && !f.sent) return 'an attempt is in doubt only after its send';
  switch (f.pendingReason) {
    case 'leased':
      return f.sent && f.doubt === 'none' ? 'send writes the doubt' : null;
    case 'queued':
      return f.sent || f.doubt !== 'none' ? 'a queued operation was never sent' : null;
    case 'awaiting_approval':
      return f.doubt !== 'none' ? 'approval is asked for only without doubt' : null;
    case 'recovering':
      return f.doubt === 'none' ? 'recovering is the state of a doubt' : null;
    case 'accepted':
      return f.doubt === 'none' ? 'an accepted job is in doubt' : null;
    case 'ready':
    case 'none':
      return null;
  }
}
