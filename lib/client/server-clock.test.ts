import { describe, expect, test, vi } from 'vitest';
import { serverClock } from './server-clock.ts';

describe("the database's clock in the browser", () => {
  test("goes by the browser's monotonic clock, never by its wall clock", () => {
    vi.useFakeTimers({ now: 0 });
    let passed = 500;
    const clock = serverClock('2026-08-18T14:06:16Z', () => passed);
    const stop = clock.subscribe(() => {});
    passed += 3_000;
    vi.advanceTimersByTime(1_000);
    expect(new Date(clock.read()).toISOString()).toBe('2026-08-18T14:06:19.000Z');
    stop();
    vi.useRealTimers();
  });

  test('an answer sets it forward, an older answer never back', () => {
    const clock = serverClock('2026-08-18T14:06:16Z', () => 0);
    clock.set('2026-08-18T14:06:21Z');
    clock.set('2026-08-18T14:06:18Z');
    expect(new Date(clock.read()).toISOString()).toBe('2026-08-18T14:06:21.000Z');
  });
});
