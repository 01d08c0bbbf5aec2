import { describe, expect, test } from 'vitest';
import { at, CLAIM, DOUBT, event, GIVE_UP } from './testing/operation-detail.ts';
import { traceRows } from './trace-rows.ts';

const words = (events: Parameters<typeof traceRows>[0]) =>
  traceRows(events).map((row) => `${row.kind}: ${row.word}`);

describe('the events table', () => {
  test('steps stand at their own times, before the commit that carried them', () => {
    const rows = traceRows([CLAIM]);
    expect(rows.map((row) => row.word)).toEqual(['proposed', 'sent', 'claimed']);
    expect(rows.map((row) => row.offsetMs)).toEqual([0, 13, 13]);
  });

  test('a send that ended without an acknowledgment has a line that says so, directly before its end', () => {
    expect(words([CLAIM, DOUBT, GIVE_UP])).toEqual([
      'step: proposed',
      'step: sent',
      'change: claimed',
      'gap: no acknowledgment recorded',
      'change: ended in doubt',
      'change: given up, a person is needed',
    ]);
  });

  test('an answer that was recorded leaves no gap', () => {
    const read = { ...DOUBT, steps: [{ step: 'acknowledged', at: at('14:02:09.4') }] };
    expect(words([CLAIM, read]).filter((word) => word.startsWith('gap'))).toEqual([]);
  });

  test('[B85] a repeated delivery is marked as one and shows no change', () => {
    const again = event({
      event_id: 9,
      kind: 'replayed',
      at: at('14:09:00'),
      from_status: 'applied',
      to_status: 'applied',
      version: 5,
    });
    expect(traceRows([again])).toMatchObject([
      { kind: 'delivery', word: 'delivered again: replayed', to: null, version: null },
    ]);
  });

  test('an event shows a reason only where it is the one that set it', () => {
    const looked = event({
      event_id: 4,
      kind: 'looked_up',
      at: at('14:03:00'),
      reason: 'no_answer',
      detail: { answer: 'absent', authoritative: false, asked_by: 'system:reconcile' },
    });
    expect(traceRows([DOUBT, looked]).map((row) => row.notes)).toEqual([
      ['sent, no answer'],
      ['absent', 'no proof alone', 'asked by reconcile'],
    ]);
  });
});
