import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 60_000;

/** Resolves once `holds` does; rejects with what was waited for when it does not come about. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > end)
      throw new Error(`${what} did not come about in ${Math.round(patienceMs / 1000)} s`);
    await sleep(25);
  }
}
