import type { DutyReport } from './reconcile.ts';
import type { WalkReport } from './walk.ts';
import type { World } from './world.ts';

/** An idle duty is written down this often, so that one that has stopped is seen. */
const IDLE_MS = 30_000;
const lastRuns = new WeakMap<World, Map<string, number>>();

/**
 * One run of a duty, written down when it did something, failed, or has been idle for a while; what it rejects with is
 * passed on.
 */
export async function traced<T extends number | DutyReport | WalkReport>(
  world: World,
  duty: string,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = world.clock.now();
  try {
    const done = await work();
    const report: { [name: string]: number } = typeof done === 'number' ? { done } : { ...done };
    const isIdle = Object.values(report).every((count) => count === 0);
    if (!isIdle || startedAt - lastRun(world, duty) >= IDLE_MS)
      await write(world, duty, startedAt, report, null);
    return done;
  } catch (error) {
    await write(world, duty, startedAt, {}, error instanceof Error ? error.name : 'unknown error');
    throw error;
  }
}

const lastRun = (world: World, duty: string) => lastRuns.get(world)?.get(duty) ?? -IDLE_MS;

async function write(
  world: World,
  duty: string,
  startedAt: number,
  report: { [name: string]: number },
  failed: string | null,
): Promise<void> {
  const runs = lastRuns.get(world) ?? new Map<string, number>();
  lastRuns.set(world, runs.set(duty, startedAt));
  await world.store
    .dutyRan({ duty, worker: world.worker, ms: world.clock.now() - startedAt, report, failed })
    .catch((error: unknown) => world.warn(`a run of ${duty} was not traced`, error));
}
