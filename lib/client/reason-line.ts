import type { CaseRow } from '../shapes/case-row.ts';
import { reasonWords } from './reason-words.ts';
import { dayTime, duration, millisOf, relative } from './time.ts';

/** Why this is a person's work, in one line: what happened, then what the evidence says about it. */
export function reasonLine(c: CaseRow, now: number): string {
  const line = [whatHappened(c, now), whatIsKnown(c, now)].filter((part) => part !== null).join(' · ');
  return line.charAt(0).toUpperCase() + line.slice(1);
}

function whatHappened(c: CaseRow, now: number): string {
  if (c.contradicted) return `stored evidence contradicts ${c.status.replaceAll('_', ' ')}`;
  if (c.status !== 'pending') return c.reason === null ? 'no reason recorded' : reasonWords(c.reason);
  switch (c.pending_reason) {
    case 'leased':
      return c.sent_at === null ? 'lease expired before send' : 'lease expired after send';
    case 'ready':
      return c.attempts_left
        ? `no worker has taken it up since ${dayTime(c.updated_at, now)}`
        : `all ${c.attempt} ${c.attempt === 1 ? 'attempt' : 'attempts'} used`;
    case 'accepted':
      return `provider job ${duration(now - millisOf(c.sent_at ?? c.created_at))} old`;
    case 'queued':
      return `queued ${duration(now - millisOf(c.created_at))}, not picked up`;
    case 'awaiting_approval':
      return 'waits for approval';
    case 'recovering':
      return c.reason === null ? 'recovery ran out' : `${reasonWords(c.reason)} · recovery ran out`;
    default:
      return 'written by another executor';
  }
}

function whatIsKnown(c: CaseRow, now: number): string | null {
  const age = c.evidence_asked_at === null ? '' : ` ${relative(c.evidence_asked_at, now)}`;
  switch (c.evidence) {
    case 'found':
      return `receipt found${age}`;
    case 'absent':
      if (c.absence_is_conclusive) return `absent${age}, conclusive`;
      if (c.absence_counts_from === null) return `absent${age}, proves nothing`;
      return now < millisOf(c.absence_counts_from)
        ? `absent${age}, not conclusive until ${dayTime(c.absence_counts_from, now)}`
        : `absent${age}, asked too early`;
    case 'pending':
      return `still in progress there${age}`;
    case 'refused':
      return `refused there${age}`;
    case 'ambiguous':
      return `lookup ambiguous${age}`;
    case 'failed':
      return `lookup failed${age}`;
    case null:
      if (c.sent_at === null && !c.adopted) return null;
      return c.lookup === 'none' ? 'no lookup for this tool' : 'not looked up yet';
  }
}
