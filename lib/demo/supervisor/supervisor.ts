import { setTimeout as sleep } from 'node:timers/promises';
import { launchChild, type Child, type ChildSpec } from './child.ts';

/** One thing that runs: how to end it in order, and how to end it now. */
type Running = { stop: () => Promise<void>; kill: () => void };

export type Supervisor = {
  /** Starts a child and answers when it is ready; from then on it is started again whenever it ends by itself. */
  run: (spec: ChildSpec) => Promise<void>;
  /** Takes charge of something started elsewhere: it is stopped in its turn. */
  adopt: (running: Running) => void;
  /** Ends everything in the reverse order of its start. Later calls wait for the first. */
  stop: () => Promise<void>;
  /** Ends everything at once, for somebody who asked twice. */
  killAll: () => void;
  /** Aborted as soon as a stop was asked for. */
  stopping: AbortSignal;
};

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const HEALTHY_AFTER_MS = 60_000;

/** Starts things in order, keeps them running, and stops them in the reverse order. */
export function createSupervisor(announce: (message: string) => void): Supervisor {
  const running: Running[] = [];
  const controller = new AbortController();
  const stopping = controller.signal;
  let stopped: Promise<void> | undefined;

  const run = async (spec: ChildSpec) => {
    stopping.throwIfAborted();
    let child = launchChild(spec);
    running.push({
      stop: async () => {
        if (!(await child.stop())) announce(`${spec.name} did not end in time and was killed`);
      },
      kill: () => child.kill(),
    });
    await child.ready;
    void keepRunning(
      spec,
      () => child,
      (next) => (child = next),
    );
  };

  const keepRunning = async (spec: ChildSpec, current: () => Child, replace: (next: Child) => void) => {
    let waitMs = FIRST_WAIT_MS;
    while (!stopping.aborted) {
      const since = performance.now();
      const trouble = await troubleOf(current(), spec.name);
      if (stopping.aborted) return;
      if (performance.now() - since > HEALTHY_AFTER_MS) waitMs = FIRST_WAIT_MS;
      announce(`${trouble}; starting it again in ${waitMs / 1_000} s`);
      await sleep(waitMs, undefined, { signal: stopping }).catch(() => {});
      if (stopping.aborted) return;
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      replace(launchChild(spec));
    }
  };

  const stop = async () => {
    controller.abort();
    for (const one of running.toReversed()) await one.stop();
  };

  return {
    run,
    adopt: (one) => void running.push(one),
    stop: () => (stopped ??= stop()),
    killAll: () => {
      controller.abort();
      running.forEach((one) => one.kill());
    },
    stopping,
  };
}

/** Waits until the child has ended, and says how, with its last words if it never became ready. */
async function troubleOf(child: Child, name: string): Promise<string> {
  try {
    await child.ready;
    return `${name} ended (${await child.ended})`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
