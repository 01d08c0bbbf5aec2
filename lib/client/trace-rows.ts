import type { TraceEvent } from '../shapes/operation-record.ts';
import { isDelivery } from './deliveries.ts';
import { eventWords } from './event-words.ts';
import { reasonWords } from './reason-words.ts';
import { millisOf } from './time.ts';

/** One line of the events table. A gap has no time: it says that nothing was recorded where something should be. */
export type TraceRow = {
  id: string;
  kind: 'step' | 'change' | 'delivery' | 'gap' | 'note';
  word: string;
  /** ISO 8601; null for a gap. */
  at: string | null;
  /** Milliseconds after the first row; null for a gap. */
  offsetMs: number | null;
  by: string | null;
  attempt: number | null;
  version: number | null;
  to: string | null;
  notes: string[];
};

/** Events that set the reason; others only carry the one that stands. */
const REASONED = new Set([
  'doubt',
  'expire',
  'give_up',
  'refuse',
  'settle_refused',
  'decide_failed',
  'deny',
  'abandon',
  'fail_over',
]);
const NOTES = new Set(['looked_up', 'late_evidence', 'polled']);
/** Shown elsewhere on the screen, or of no use to a reader. */
const HIDDEN_DETAIL = new Set(['evidence_ids', 'decision_id', 'field_digests']);

/**
 * Every event as lines in the order of their own times. One commit may carry several steps; an attempt that was sent
 * and ended without an acknowledgment gets a line that says so.
 */
export function traceRows(events: readonly TraceEvent[]): TraceRow[] {
  const rows = events.flatMap((event) => [...stepsOf(event), ...gapBefore(event, events), changeOf(event)]);
  const first = Math.min(...rows.flatMap((row) => (row.at === null ? [] : [millisOf(row.at)])));
  return inOrder(rows).map((row) => ({
    ...row,
    offsetMs: row.at === null ? null : millisOf(row.at) - first,
  }));
}

/** By time, each gap directly before the line that revealed it. */
function inOrder(rows: readonly TraceRow[]): TraceRow[] {
  const placed = rows.map((row, index) => {
    const revealed = row.at === null ? rows.slice(index + 1).find((later) => later.at !== null) : row;
    return { row, index, at: revealed?.at == null ? 0 : millisOf(revealed.at) };
  });
  return placed.toSorted((a, b) => a.at - b.at || a.index - b.index).map(({ row }) => row);
}

/** Who a person was stands with the decision; here an id would only take the room of the columns after it. */
const whoOf = (event: TraceEvent) =>
  event.worker ?? (event.actor?.startsWith('user:') === true ? 'a person' : event.actor);

function stepsOf(event: TraceEvent): TraceRow[] {
  return event.steps.map((step, index) => ({
    id: `${event.event_id} ${index}`,
    kind: 'step',
    word: eventWords(step.step),
    at: step.at,
    offsetMs: null,
    by: whoOf(event),
    attempt: event.attempt,
    version: null,
    to: null,
    notes: detailWords(step, new Set(['step', 'at'])),
  }));
}

function gapBefore(event: TraceEvent, events: readonly TraceEvent[]): TraceRow[] {
  if (event.kind !== 'expire' && event.kind !== 'doubt') return [];
  const own = events.filter((one) => one.attempt === event.attempt && one.event_id <= event.event_id);
  const has = (name: string) => own.some((one) => one.steps.some((step) => step.step === name));
  if (!has('sent') || has('acknowledged')) return [];
  return [
    {
      id: `${event.event_id} gap`,
      kind: 'gap',
      word: 'no acknowledgment recorded',
      at: null,
      offsetMs: null,
      by: null,
      attempt: event.attempt,
      version: null,
      to: null,
      notes: [],
    },
  ];
}

function changeOf(event: TraceEvent): TraceRow {
  const to =
    event.to_pending_reason === null
      ? event.to_status
      : `${event.to_status ?? ''}, ${event.to_pending_reason}`;
  const isChange = event.from_status !== event.to_status || !(isDelivery(event) || NOTES.has(event.kind));
  return {
    id: String(event.event_id),
    kind: NOTES.has(event.kind)
      ? 'note'
      : isDelivery(event) && event.kind !== 'claim'
        ? 'delivery'
        : 'change',
    word: eventWords(event.kind),
    at: event.at,
    offsetMs: null,
    by: whoOf(event),
    attempt: event.attempt,
    version: isChange ? event.version : null,
    to: isChange && to !== null ? to.replaceAll('_', ' ') : null,
    notes: [
      ...(event.reason !== null && REASONED.has(event.kind) ? [reasonWords(event.reason)] : []),
      ...(NOTES.has(event.kind) ? answerWords(event.detail) : detailWords(event.detail, HIDDEN_DETAIL)),
      ...(event.tool_call_id === null ? [] : [`tool call ${event.tool_call_id}`]),
    ],
  };
}

function detailWords(detail: Readonly<Record<string, unknown>>, hidden: ReadonlySet<string>): string[] {
  const { detail: inner, ...own } = detail;
  const all = typeof inner === 'object' && inner !== null ? { ...own, ...inner } : detail;
  return Object.entries(all).flatMap(([name, value]) =>
    hidden.has(name) || value === null || value === '' || (Array.isArray(value) && value.length === 0)
      ? []
      : [`${name.replaceAll('_', ' ')} ${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
}

/** What a system of record answered, as a reader says it. */
function answerWords(detail: Readonly<Record<string, unknown>>): string[] {
  const { answer, effect_reference: reference, authoritative, contradicts, asked_by: askedBy } = detail;
  const words = [answer, reference].filter((word) => typeof word === 'string' && word !== '');
  return [
    words.join(' '),
    ...(authoritative === false ? ['no proof alone'] : []),
    ...(contradicts === true ? ['contradicts the status'] : []),
    ...(typeof askedBy === 'string'
      ? [`asked by ${askedBy.startsWith('user:') ? 'a person' : askedBy.replace(/^system:/, '')}`]
      : []),
  ].filter((word) => word !== '');
}
