import { setTimeout as sleep } from 'node:timers/promises';

/** How a duty is run, whatever it does. */
export type DutyOptions = {
  /** As it is called in messages. */
  name: string;
  /** The pause between two runs, in milliseconds. */
  everyMs: number;
  /** One run; it may be cut off at any statement, and any number of processes may run it at once. */
  work: () => Promise<unknown>;
  /** Ends the loop; a run that has begun is finished first. */
  signal: AbortSignal;
  /** Told once when runs begin to fail, and once when they work again. */
  warn: (message: string, error?: unknown) => void;
};

const LONGEST_PAUSE_MS = 30_000;

/**
 * Runs a duty again and again, one run after the other, until `signal` is aborted; settles when the last run has
 * ended. Failures make the pause grow up to 30 s; pauses are jittered, so that processes do not march in step.
 */
export async function runDuty({ name, everyMs, work, signal, warn }: DutyOptions): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await work();
      if (failures > 0)
        warn(`${name} works again after ${failures} failed ${failures === 1 ? 'run' : 'runs'}`);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === 1) warn(`${name} fails, and is tried again`, error);
    }
    const pauseMs = Math.min(everyMs * 2 ** Math.min(failures, 10), Math.max(everyMs, LONGEST_PAUSE_MS));
    await sleep(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => {});
  }
}
