import { describe, expect, test } from 'vitest';
import { absoluteTime, clockTime, dayTime, duration, relative, span, untilDue } from './time.ts';

const NOW = Date.parse('2026-08-18T14:06:16Z');

describe('times for people', () => {
  test('a time is shown in UTC whatever zone it was written in', () => {
    expect(clockTime('2026-08-18T16:02:07.114123+02:00', true)).toBe('14:02:07.114');
    expect(absoluteTime('2026-08-18T16:02:07.114123+02:00')).toBe('2026-08-18 14:02:07.114 UTC');
  });

  test('another day, and another year, is named', () => {
    expect(dayTime('2026-08-18T00:00:01Z', NOW)).toBe('00:00:01');
    expect(dayTime('2026-08-17T23:59:59Z', NOW)).toBe('17 Aug 23:59:59');
    expect(dayTime('2025-08-18T14:02:07Z', NOW)).toBe('18 Aug 2025 14:02:07');
  });

  test('a length of time has at most two units', () => {
    expect([999, 4_000, 59_999, 720_000, 4_320_000, 7_200_000, 273_600_000].map(duration)).toEqual([
      '0 s',
      '4 s',
      '59 s',
      '12 min',
      '1 h 12 min',
      '2 h',
      '3 d 4 h',
    ]);
    expect([0.4, 12, 2_340, 61_000].map(span)).toEqual(['0 ms', '12 ms', '2.3 s', '1 min']);
  });

  test('a relative time says on which side of now it is', () => {
    expect(relative('2026-08-18T14:06:12Z', NOW)).toBe('4 s ago');
    expect(relative('2026-08-18T14:06:20Z', NOW)).toBe('in 4 s');
  });

  test('a due time says how much is left, and when it is over', () => {
    expect(untilDue('2026-08-18T14:09:30Z', NOW)).toEqual({
      text: '3 min left',
      isOver: false,
      isClose: true,
    });
    expect(untilDue('2026-08-18T15:09:30Z', NOW)).toEqual({
      text: '1 h 3 min left',
      isOver: false,
      isClose: false,
    });
    expect(untilDue('2026-08-18T14:04:00Z', NOW)).toEqual({
      text: '2 min over',
      isOver: true,
      isClose: true,
    });
  });
});
