import type { TraceEvent } from '../shapes/operation-record.ts';
import type { Shape, Tone } from './status-words.ts';

/** One arrival of the same call, and what it was answered. */
export type Delivery = {
  event: TraceEvent;
  isFirst: boolean;
  answer: string;
  reason: string | null;
  tone: Tone;
  shape: Shape;
};

const ANSWERS: Readonly<Record<string, { answer: string; tone: Tone; shape: Shape }>> = {
  replayed: { answer: 'replayed, no new effect', tone: 'replayed', shape: 'ring' },
  in_flight: { answer: 'in_flight', tone: 'inflight', shape: 'quarter' },
  rejected: { answer: 'rejected', tone: 'rejected', shape: 'minus' },
  unknown: { answer: 'unknown', tone: 'unknown', shape: 'question' },
  expired_arrival: { answer: 'late arrival', tone: 'rejected', shape: 'minus' },
};

const FIRST = new Set(['claim', 'enqueue', 'succeeds']);

export const isDelivery = (event: TraceEvent) => Object.hasOwn(ANSWERS, event.kind) || FIRST.has(event.kind);

/** Every delivery of one operation, oldest first; those after the first change nothing. */
export function deliveriesOf(events: readonly TraceEvent[]): Delivery[] {
  return events.filter(isDelivery).map((event) => {
    const told = ANSWERS[event.kind];
    if (told === undefined)
      return { event, isFirst: true, answer: 'first call', reason: null, tone: 'inflight', shape: 'ring' };
    const { reason: given } = event.detail; // the event's own; its column holds the record's
    const reason = typeof given === 'string' ? given.replaceAll('_', ' ') : null;
    return { event, isFirst: false, ...told, reason };
  });
}
