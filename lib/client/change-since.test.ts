import { describe, expect, test } from 'vitest';
import { changeSince } from './change-since.ts';
import { at, CLAIM, decision, detail, event, record } from './testing/operation-detail.ts';

describe('what changed a case while somebody wrote', () => {
  test('nothing, as long as the version is the same', () => {
    expect(changeSince(4, detail())).toBeNull();
  });

  test("another person's decision is told with their name", () => {
    const one = decision();
    const decided = event({
      event_id: 8,
      kind: 'decide_applied',
      at: at('14:07:00'),
      version: 5,
      actor: 'user:33333333',
    });
    expect(
      changeSince(
        4,
        detail({
          record: record({ version: 5, status: 'applied', resolved_by: `decision:${one.decision_id}` }),
          decisions: [one],
          events: [CLAIM, decided],
        }),
      ),
    ).toEqual({
      version: 5,
      status: 'applied',
      changed_by: 'Marek Brandt',
      changed_at: at('14:07:00'),
      change: 'decide_applied',
    });
  });

  test('a delivery that changed nothing is not the change', () => {
    const settled = event({
      event_id: 5,
      kind: 'settle_found',
      at: at('14:05:00'),
      version: 5,
      worker: 'reconciler-1',
    });
    const delivered = event({ event_id: 6, kind: 'replayed', at: at('14:06:00'), version: 5, worker: 'w-2' });
    expect(
      changeSince(4, detail({ record: record({ version: 5 }), events: [settled, delivered] })),
    ).toMatchObject({
      changed_by: 'reconciler-1',
      change: 'settle_found',
    });
  });
});
