import { describe, expect, test } from 'vitest';
import { evidenceRuns } from './evidence-runs.ts';
import { at, detail, evidence } from './testing/operation-detail.ts';

const absent = (time: string, part: Parameters<typeof evidence>[0] = {}) =>
  evidence({
    answer: 'absent',
    effect_reference: null,
    committed_at: null,
    summary: 'None.',
    asked_at: at(time),
    asked_late_enough: false,
    ...part,
  });
const runs = (...items: ReturnType<typeof evidence>[]) =>
  evidenceRuns(detail({ evidence: items })).map((run) => [run.item.asked_at, run.earlier.length]);

describe('runs of equal evidence', () => {
  test('equal answers in a row are one, the last asked one in front', () => {
    expect(
      runs(
        evidence({ asked_at: at('14:06:12') }),
        absent('14:05:00'),
        absent('14:04:00'),
        absent('14:03:00'),
      ),
    ).toEqual([
      [at('14:06:12'), 0],
      [at('14:05:00'), 2],
    ]);
  });

  test('an absence that is conclusive never hides among those that prove nothing', () => {
    expect(runs(absent('14:08:00', { asked_late_enough: true }), absent('14:05:00'))).toHaveLength(2);
  });

  test('another answer between two equal ones keeps them apart', () => {
    expect(runs(absent('14:05:00'), evidence({ answer: 'failed' }), absent('14:03:00'))).toHaveLength(3);
  });
});
