import { describe, expect, test } from 'vitest';
import {
  at,
  CLAIM,
  detail,
  DOUBT,
  event,
  evidence,
  facts,
  GIVE_UP,
  record,
} from './testing/operation-detail.ts';
import { traceBands } from './trace-bands.ts';

describe('the trace in short', () => {
  test('an open doubt reaches from the send to now', () => {
    const bands = traceBands(detail());
    expect(bands.uncertainty).toMatchObject({ to: 1, isOpen: true });
    expect(bands.uncertainty?.from).toBeCloseTo(bands.sends[0]?.place ?? -1);
    expect(bands.acknowledged).toBeNull();
  });

  test('a doubt that was settled ends where it was settled', () => {
    const settle = event({
      event_id: 4,
      kind: 'settle_found',
      at: at('14:04:00'),
      from_status: 'pending',
      to_status: 'applied',
      version: 5,
    });
    const bands = traceBands(
      detail({
        record: record({ status: 'applied', updated_at: at('14:04:00') }),
        facts: facts({ status: 'applied', doubt: 'none' }),
        events: [CLAIM, DOUBT, settle],
        evidence: [evidence({ asked_at: at('14:03:59') })],
      }),
    );
    expect(bands.uncertainty).toMatchObject({ to: 1, isOpen: false });
  });

  test('what was acknowledged at once has no hatched interval', () => {
    const apply = event({
      event_id: 2,
      kind: 'apply',
      at: at('14:02:08'),
      from_status: 'pending',
      to_status: 'applied',
      version: 2,
    });
    const bands = traceBands(
      detail({
        record: record({ status: 'applied' }),
        facts: facts({ status: 'applied', doubt: 'none' }),
        events: [CLAIM, apply],
      }),
    );
    expect(bands.uncertainty).toBeNull();
    expect(bands.acknowledged).toMatchObject({ word: 'acknowledged' });
  });

  test('places keep the order of time and never leave the axis, also after days', () => {
    const bands = traceBands(
      detail({
        checked_at: '2026-08-21T14:06:16+00:00',
        events: [CLAIM, DOUBT, GIVE_UP],
        evidence: [evidence()],
      }),
    );
    const [lease] = bands.leases;
    const places = [bands.sends[0]?.place, lease?.to, bands.lookups[0]?.place, bands.uncertainty?.to];
    expect(places).toEqual(places.toSorted((a, b) => Number(a) - Number(b)));
    for (const place of places) expect(place).toBeGreaterThanOrEqual(0);
    for (const place of places) expect(place).toBeLessThanOrEqual(1);
    expect((lease?.to ?? 0) - (lease?.from ?? 0)).toBeGreaterThan(0.01);
    for (const [index, tick] of bands.ticks.entries())
      expect(tick.place).toBeGreaterThan(bands.ticks[index - 1]?.place ?? 0);
  });

  test('what was never sent has no send and no doubt', () => {
    const bands = traceBands(
      detail({
        record: record({
          status: 'pending',
          pending_reason: 'ready',
          sent_at: null,
          first_sent_at: null,
          sent_attempt: null,
          quiet_until: null,
        }),
        facts: facts({ status: 'pending', pending_reason: 'ready', doubt: 'none', sent: false }),
        events: [event({ event_id: 1, kind: 'claim', at: at('14:02:07') })],
      }),
    );
    expect(bands).toMatchObject({ sends: [], noSend: 'never sent', uncertainty: null, acknowledged: null });
  });

  test('of an adopted row nothing says that it was never sent: it may have happened since it is there', () => {
    const bands = traceBands(
      detail({
        record: record({ adopted: true, sent_at: null, first_sent_at: null, quiet_until: null }),
        facts: facts({ adopted: true }),
        events: [],
      }),
    );
    expect(bands).toMatchObject({
      sends: [],
      noSend: 'not recorded',
      uncertainty: { from: 0, to: 1, isOpen: true },
    });
  });
});
