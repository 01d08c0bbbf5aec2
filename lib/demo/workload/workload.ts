import { setTimeout as sleep } from 'node:timers/promises';
import { statementClient } from '../../../db/statement-client.ts';
import { followStep, type AgentWorld } from './agent.ts';
import { startCrew } from './crew.ts';
import { openJournal, type Journal, type Journaled, type Progress } from './journal.ts';
import { startMisbehaviour, type Misbehaviour } from './misbehaviour.ts';
import { planItem } from './plan/plan.ts';
import type { Step } from './plan/step.ts';
import { revoke } from './policy.ts';
import { startResolvedWatch } from './resolved.ts';

export type WorkloadOptions = {
  databaseUrl: string;
  desklineUrl: string;
  /** The journal's folder. */
  dir: string;
  seed: string;
  workers: number;
  /** How many times faster than usual the plan is walked. */
  pace: number;
  /** How many things of the plan are begun; without end when it is not given. */
  items: number;
  announce: (message: string) => void;
  warn: (message: string, error?: unknown) => void;
  signal: AbortSignal;
  /** Called when workers can take deliveries and the agents begin. */
  onReady: () => void;
};

/** At a start the workflows resume, and deliver what they did last once more. */
const RESUMED = 8;
const DESKLINE_WAIT_MS = 1_000;

/** Runs agents and workers until `signal` is aborted; settles when all have ended. */
export async function runWorkload(options: WorkloadOptions): Promise<void> {
  const { databaseUrl, desklineUrl, dir, workers, pace, announce, warn, signal, onReady } = options;
  const journal = openJournal(dir);
  const database = new URL(databaseUrl);
  journal.setPlaces({ databaseHost: database.host, databaseName: database.pathname.slice(1), desklineUrl });
  const progress = new ProgressBoard(journal, signal);
  const crew = startCrew({
    size: workers,
    policy: journal.policy(),
    fieldDigestKey: journal.fieldDigestKey(),
    announce,
    onKilled: (kill) => {
      journal.addKill(kill);
      announce(`killed ${kill.worker} ${kill.at.replaceAll('_', ' ')} of ${kill.key}`);
    },
  });
  const stopCrew = () => void crew.stop();
  signal.addEventListener('abort', stopCrew, { once: true });
  const sql = statementClient(databaseUrl, { max: 1, applicationName: 'replay-desk workload' });
  const watch = startResolvedWatch(sql, signal, warn);
  const agents = new Set<Promise<void>>();
  try {
    const misbehaviour = await reachDeskline(desklineUrl, warn, signal);
    await crew.ready();
    onReady();
    const world: AgentWorld = {
      crew,
      journal,
      misbehaviour,
      watch,
      pace,
      signal,
      changed: (step, now) => progress.changed(step, now),
      receiptOf: (number) => progress.receiptOf(number),
    };
    const follow = ({ step, progress: begun }: Journaled) => {
      const agent = followStep(world, step, begun).catch((error: unknown) =>
        warn(`the agent of step ${step.number} gave up`, error),
      );
      agents.add(agent);
      void agent.then(() => agents.delete(agent));
    };
    journal.unfinished().forEach(follow);
    journal.finished(RESUMED).forEach(({ step, progress: ended }) => {
      if (ended.reference !== null)
        follow({
          step: { ...step, trouble: null, duplicateAfterMs: 1_000 },
          progress: { ...ended, stage: 'after' },
        });
    });
    await walkPlan(options, { crew, journal, progress, follow });
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await crew.stop();
    await Promise.all([...agents, watch.ended]);
    await sql.end({ timeout: 2 });
    journal.close();
  }
}

type Walk = {
  crew: Pick<AgentWorld['crew'], never> & { setPolicy: (policy: ReturnType<Journal['policy']>) => void };
  journal: Journal;
  progress: ProgressBoard;
  follow: (journaled: Journaled) => void;
};

/** Begins one thing of the plan after the other, where the last run ended. */
async function walkPlan(
  { seed, pace, items, announce, signal }: WorkloadOptions,
  { crew, journal, progress, follow }: Walk,
): Promise<void> {
  while (journal.position() < items) {
    const item = planItem(seed, journal.position());
    if (item.do === 'await_unknown') {
      await Promise.race([progress.unknown(item.number), sleep(item.atMostMs, undefined, { signal })]);
      journal.begin(null);
    } else if (item.do === 'revoke') {
      const policy = revoke(journal.policy(), item.actor);
      journal.setPolicy(policy);
      crew.setPolicy(policy);
      announce(`policy ${policy.version} takes the rights of ${item.actor} away`);
      journal.begin(null);
    } else {
      journal.begin(item.step);
      const begun = journal.find(item.step.number);
      if (begun !== undefined) follow(begun);
    }
    await sleep(item.gapMs / pace, undefined, { signal });
  }
}

/** Deskline may still be starting, or starting again. */
async function reachDeskline(
  url: string,
  warn: WorkloadOptions['warn'],
  signal: AbortSignal,
): Promise<Misbehaviour> {
  for (let tries = 0; ; tries++) {
    try {
      return await startMisbehaviour(url, signal);
    } catch (error) {
      if (tries === 0) warn('Deskline is not reached yet', error);
      await sleep(DESKLINE_WAIT_MS, undefined, { signal });
    }
  }
}

/** Lets agents and the plan wait for what a step comes to. */
class ProgressBoard {
  readonly #journal: Journal;
  readonly #signal: AbortSignal;
  readonly #listeners = new Map<number, Set<(progress: Progress) => void>>();

  constructor(journal: Journal, signal: AbortSignal) {
    this.#journal = journal;
    this.#signal = signal;
  }

  changed({ number }: Step, progress: Progress): void {
    for (const listener of this.#listeners.get(number) ?? []) listener(progress);
  }

  receiptOf(number: number): Promise<string | null> {
    return this.#wait(number, ({ reference, stage }) => reference ?? (stage === 'open' ? undefined : null));
  }

  async unknown(number: number): Promise<void> {
    await this.#wait(number, ({ last, stage }) =>
      last?.status === 'unknown' || stage !== 'open' ? true : undefined,
    );
  }

  #wait<T>(number: number, read: (progress: Progress) => T | undefined): Promise<T> {
    const known = this.#journal.find(number);
    const now = known === undefined ? undefined : read(known.progress);
    if (now !== undefined) return Promise.resolve(now);
    return new Promise((resolve, reject) => {
      this.#signal.addEventListener('abort', () => reject(new Error('the workload stops')), { once: true });
      const listeners = this.#listeners.get(number) ?? new Set();
      this.#listeners.set(number, listeners);
      const listener = (progress: Progress) => {
        const value = read(progress);
        if (value === undefined) return;
        listeners.delete(listener);
        resolve(value);
      };
      listeners.add(listener);
    });
  }
}
