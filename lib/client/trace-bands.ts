import { toFacts } from '../shapes/facts.ts';
import type { EvidenceItem, OperationDetail, TraceEvent } from '../shapes/operation-record.ts';
import { duration, millisOf } from './time.ts';

/** The trace in short, as places between 0 and 1 on one time axis. */
export type TraceBands = {
  /** The instant at place 0. */
  startsAt: string;
  ticks: { place: number; label: string }[];
  leases: { from: number; to: number }[];
  sends: { place: number; attempt: number }[];
  /** Why there is no send: it never was, or another executor did not record it. */
  noSend: 'never sent' | 'not recorded' | null;
  /** The interval in which the effect may have happened: first send in doubt to the last possible commit known. */
  uncertainty: { from: number; to: number; isOpen: boolean } | null;
  lookups: { place: number; item: EvidenceItem }[];
  /** When an answer or a receipt was first recorded; null while there is none. */
  acknowledged: { place: number; word: string } | null;
};

const SETTLING = new Set([
  'apply',
  'settle_found',
  'settle_refused',
  'settle_absent',
  'refuse',
  'decide_applied',
  'decide_failed',
  'decide_new_key',
  'amend',
]);
const STEPS_MS = [1e3, 5e3, 1e4, 3e4, 6e4, 3e5, 6e5, 1.8e6, 3.6e6, 2.16e7, 8.64e7, 6.048e8];

/**
 * Lays one operation out in time. A minute of work followed by hours of waiting would hide the work, so the axis
 * is linear at its beginning and grows towards its end; the ticks say how far it is.
 */
export function traceBands(detail: OperationDetail): TraceBands {
  const { record, events, evidence } = detail;
  const facts = toFacts(detail.facts);
  const start = Math.min(millisOf(record.created_at), ...events.map((event) => millisOf(event.at)));
  const settled = events.findLast(
    (event) => SETTLING.has(event.kind) && event.from_status !== event.to_status,
  );
  const isResolved =
    record.status === 'applied' ||
    record.status === 'failed_permanent' ||
    record.status === 'approved_new_key';
  const end = Math.max(
    start + 1_000,
    isResolved ? millisOf(settled?.at ?? record.updated_at) : millisOf(detail.checked_at),
    ...evidence.map((item) => millisOf(item.asked_at)),
  );
  const place = placing(start, end, leaseLength(detail));

  // nothing shows when another executor sent it: it may have happened since the row is there
  const sentAt =
    record.first_sent_at === null ? (record.adopted ? start : null) : millisOf(record.first_sent_at);
  const sends = sendsOf(detail);
  const until = isResolved ? millisOf(settled?.at ?? record.updated_at) : end;
  const wasDoubted =
    facts.doubt !== 'none' || events.some((event) => event.kind === 'doubt' || event.kind === 'expire');
  return {
    startsAt: new Date(start).toISOString(),
    ticks: ticksOf(end - start, (ms) => place(start + ms)),
    leases: leasesOf(events, record.lease_until, end).map(([from, to]) => ({
      from: place(from),
      to: place(to),
    })),
    sends: sends.map(({ at, attempt }) => ({ place: place(at), attempt })),
    noSend: sends.length > 0 ? null : record.adopted ? 'not recorded' : 'never sent',
    uncertainty:
      sentAt !== null && wasDoubted ? { from: place(sentAt), to: place(until), isOpen: !isResolved } : null,
    lookups: evidence.map((item) => ({ place: place(millisOf(item.asked_at)), item })).toReversed(),
    acknowledged: acknowledgedOf(events, place),
  };
}

function leaseLength(detail: OperationDetail): number {
  const { sent_at: sent, quiet_until: quiet } = detail.record;
  return sent !== null && quiet !== null ? Math.max(1_000, millisOf(quiet) - millisOf(sent)) : 10_000;
}

/** Linear up to about `unit`, logarithmic beyond; exactly linear where the whole fits in a few units. */
function placing(start: number, end: number, unit: number): (at: number) => number {
  const whole = end - start;
  const within = (place: number) => Math.min(1, Math.max(0, place));
  if (whole <= unit * 6) return (at) => within((at - start) / whole);
  const scale = Math.log1p(whole / unit);
  return (at) => within(Math.log1p(Math.max(0, at - start) / unit) / scale);
}

/** Two to four round distances from the start that stand far enough apart to be read. */
function ticksOf(whole: number, place: (ms: number) => number): TraceBands['ticks'] {
  const ticks: TraceBands['ticks'] = [];
  let last = 0;
  for (const ms of STEPS_MS) {
    if (ms > whole) break;
    const at = place(ms);
    if (at - last < 0.16 || at > 0.93) continue;
    ticks.push({ place: at, label: `+${duration(ms)}` });
    last = at;
  }
  return ticks;
}

const TAKES = new Set(['claim', 'acquire']);

function leasesOf(events: readonly TraceEvent[], leaseUntil: string | null, end: number): [number, number][] {
  const leases: [number, number][] = [];
  events.forEach((event, index) => {
    if (!TAKES.has(event.kind)) return;
    const given = events
      .slice(index + 1)
      .find(
        (later) =>
          later.from_status === 'pending' &&
          later.kind !== 'send' &&
          later.to_pending_reason !== 'leased' &&
          later.version !== null,
      );
    const to = given ? millisOf(given.at) : leaseUntil === null ? end : Math.min(end, millisOf(leaseUntil));
    leases.push([millisOf(event.at), Math.max(to, millisOf(event.at))]);
  });
  return leases;
}

function sendsOf(detail: OperationDetail): { at: number; attempt: number }[] {
  const sends = detail.events.flatMap((event) =>
    event.steps
      .filter((step) => step.step === 'sent')
      .map((step) => ({ at: millisOf(step.at), attempt: event.attempt ?? 1 })),
  );
  if (sends.length > 0) return sends;
  const { record } = detail;
  return record.sent_at === null ? [] : [{ at: millisOf(record.sent_at), attempt: record.sent_attempt ?? 1 }];
}

function acknowledgedOf(
  events: readonly TraceEvent[],
  place: (at: number) => number,
): TraceBands['acknowledged'] {
  for (const event of events) {
    const step = event.steps.find((one) => one.step === 'acknowledged');
    if (step)
      return { place: place(millisOf(step.at)), word: event.kind === 'apply' ? 'acknowledged' : event.kind };
    if (event.kind === 'apply' || event.kind === 'refuse')
      return { place: place(millisOf(event.at)), word: event.kind === 'apply' ? 'acknowledged' : 'refused' };
  }
  return null;
}
