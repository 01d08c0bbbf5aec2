import { describe, expect, test, vi } from 'vitest';
import { runDuty } from './run-duty.ts';

const start = (work: () => Promise<unknown>) => {
  const stop = new AbortController();
  const warn = vi.fn<(message: string, error?: unknown) => void>();
  const ended = runDuty({ name: 'recover', everyMs: 1, work, signal: stop.signal, warn });
  return { stop: () => stop.abort(), warn, ended };
};

describe('runDuty', () => {
  test('a run begins only when the one before it has ended', async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const duty = start(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 4));
      running -= 1;
      runs += 1;
      if (runs === 4) duty.stop();
    });
    await duty.ended;
    expect(most).toBe(1);
  });

  test('failures are told once, and so is that it works again', async () => {
    let runs = 0;
    const duty = start(async () => {
      runs += 1;
      if (runs <= 3) throw new Error('database unavailable');
      if (runs === 5) duty.stop();
    });
    await duty.ended;
    expect(duty.warn.mock.calls.map(([message]) => message)).toEqual([
      'recover fails, and is tried again',
      'recover works again after 3 failed runs',
    ]);
  });

  test('the pause grows while runs fail', async () => {
    let runs = 0;
    const begun: number[] = [];
    const duty = start(async () => {
      begun.push(performance.now());
      runs += 1;
      if (runs === 6) duty.stop();
      throw new Error('database unavailable');
    });
    await duty.ended;
    const pauses = begun.slice(1).map((at, i) => at - (begun[i] ?? 0));
    expect(pauses.at(-1)).toBeGreaterThan(20); // 32 ms and jitter, where the first was 2 ms
  });

  test('a stop waits for the run that has begun, and no other begins', async () => {
    let finish = () => {};
    const finished = vi.fn<() => void>();
    const duty = start(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      finished();
    });
    duty.stop();
    finish();
    await duty.ended;
    expect(finished).toHaveBeenCalledTimes(1);
  });
});
