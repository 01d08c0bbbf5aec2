import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMortalCluster, type MortalCluster } from '../../db/testing/mortal-cluster.ts';
import { desklineControl } from '../../lib/demo/deskline/client.ts';
import { startDeskline } from '../../lib/demo/deskline/start-deskline.ts';
import { seeded, type Seeded } from '../../lib/demo/workload/plan/seeded.ts';
import { stepOf, type Step } from './step.ts';
import { readOperations, tally, type Acknowledged, type Tally } from './tally.ts';
import { DESKLINE_SETTINGS, SHORT } from './tools.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

export interface LoadOptions {
  deliveries: number;
  keys: number;
  processes: number;
  /** Processes killed with -9 during the load, each started again. */
  processKills: number;
  /** Processes stopped beyond their leases, and woken. */
  processStops: number;
  /** Postgres ended with -9 during the load. */
  databaseKills: number;
  seed: number;
  announce: (message: string) => void;
}

export interface LoadReport extends Tally {
  deliveries: number;
  keys: number;
  processes: number;
  process_kills: number;
  process_stops: number;
  database_kills: number;
  /** What the deliveries were answered; `gone` died with their worker, `rejected` claimed nothing. */
  answers: Record<string, number>;
  seconds: number;
}

/** In flight at each process. */
const CONCURRENCY = 8;
/** How long what is left may take to come to its end. */
const DRAIN_SECONDS = 300;

/**
 * Many deliveries of few keys by several processes, while processes and Postgres are killed and the downstream fails in
 * its own ways; then everything comes to its end, and effects are counted where they happened.
 */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const started = performance.now();
  const dir = await mkdtemp(path.join(tmpdir(), 'chaos-'));
  const [cluster, deskline] = await Promise.all([startMortalCluster(), startDeskline({ port: 0, dir })]);
  const control = desklineControl(deskline.url);
  const draw = seeded(`load ${options.seed}`);
  const acknowledged: Acknowledged[] = [];
  const counts = { answers: {} as Record<string, number>, kills: 0, stops: 0, databaseKills: 0 };
  let names = 0;
  const everyWorker = new Set<WorkerProcess>();
  const start = async () => {
    const worker = await startWorker({
      databaseUrl: cluster.urls.executor,
      desklineUrl: deskline.url,
      worker: `worker-${++names}`,
      duties: true,
    });
    everyWorker.add(worker);
    return worker;
  };
  const workers = await Promise.all(Array.from({ length: options.processes }, start));
  try {
    await control.setConfig(DESKLINE_SETTINGS);
    await control.setFaults(FAULTS.map((rule) => ({ ...rule, seed: options.seed })));
    const steps = Array.from({ length: options.keys }, (_, i) => stepOf(i));
    const queue = plannedDeliveries(steps, options.deliveries, draw);
    let done = 0;
    const perform = async (worker: WorkerProcess, step: Step): Promise<void> => {
      const what = await worker.deliver(step.kind, step.context);
      const answer = what.type === 'outcome' ? what.outcome.status : what.type;
      counts.answers[answer] = (counts.answers[answer] ?? 0) + 1;
      if (
        what.type === 'outcome' &&
        (what.outcome.status === 'applied' || what.outcome.status === 'replayed')
      )
        acknowledged.push({ key: step.key, reference: what.outcome.effect_reference });
      // nothing was claimed: whoever delivers will deliver again
      if (what.type === 'rejected') return void (await sleep(200), queue.push(step));
      done += 1;
    };
    const slot = async (place: number): Promise<void> => {
      while (done < options.deliveries) {
        const worker = workers[place];
        const step = worker === undefined || worker.isGone() ? undefined : queue.pop();
        if (worker === undefined || step === undefined) await sleep(20);
        else await perform(worker, step);
      }
    };
    const underWay: Promise<void>[] = [];
    let databaseIsBack = Promise.resolve();
    const strike = async ({ what, place }: Disaster): Promise<void> => {
      if (what === 'kill_database') {
        await (databaseIsBack = databaseIsBack.then(async () => {
          options.announce(`${done} deliveries: Postgres is killed`);
          await cluster.kill();
          await cluster.start();
          counts.databaseKills += 1;
        }));
      } else if (what === 'kill') {
        await workers[place]?.kill();
        workers[place] = await start();
        counts.kills += 1;
      } else {
        const worker = workers[place];
        worker?.stop();
        await sleep((SHORT.leaseSeconds + 2) * 1_000);
        worker?.wake();
        counts.stops += 1;
      }
    };
    const disasters = (async () => {
      for (const disaster of plannedDisasters(options, draw)) {
        while (done < disaster.at) await sleep(2);
        underWay.push(strike(disaster));
      }
      await Promise.all(underWay);
    })();
    const slots = workers.flatMap((_, place) => Array.from({ length: CONCURRENCY }, () => slot(place)));
    await Promise.all([...slots, disasters]);
    options.announce(`${done} deliveries are made; waiting for what is in doubt`);
    await control.clearFaults();
    await drain(cluster, workers, steps, options.announce);
    return {
      deliveries: done,
      keys: options.keys,
      processes: options.processes,
      process_kills: counts.kills,
      process_stops: counts.stops,
      database_kills: counts.databaseKills,
      answers: counts.answers,
      ...(await tally(cluster, control, steps, acknowledged)),
      seconds: Math.round((performance.now() - started) / 1_000),
    };
  } finally {
    // also one whose place was taken by another, when both replaced the same killed one
    await Promise.all([...everyWorker].map((worker) => worker.kill()));
    await deskline.close();
    await cluster.remove();
    await rm(dir, { recursive: true, force: true });
  }
}

/** What the downstream does of itself, on writes of any resource. */
const FAULTS = [
  { fault: 'commit_then_drop', probability: 0.05 },
  { fault: 'drop_before_commit', probability: 0.04 },
  { fault: 'hang', probability: 0.01 },
  { fault: 'delay=1800', probability: 0.02 },
  { fault: 'error_after_commit', probability: 0.03 },
  { fault: 'not_now=1', probability: 0.02 },
  { fault: 'truncated_body', probability: 0.02 },
];

/** The deliveries in their order, the first one last: the repeats of a key come near each other, new keys to the end. */
function plannedDeliveries(steps: readonly Step[], deliveries: number, draw: Seeded): Step[] {
  return Array.from({ length: deliveries }, (_, i) => {
    const place = i % steps.length;
    return { step: steps[place] as Step, at: (place / steps.length) * 0.9 + draw.fraction() * 0.1 };
  })
    .toSorted((a, b) => b.at - a.at)
    .map(({ step }) => step);
}

interface Disaster {
  what: 'kill' | 'stop' | 'kill_database';
  /** After so many deliveries. */
  at: number;
  place: number;
}

/** Process disasters at drawn moments of the load, and Postgres's at equal parts of it. */
function plannedDisasters(options: LoadOptions, draw: Seeded): Disaster[] {
  const { deliveries, processes, processKills, processStops, databaseKills } = options;
  const drawn = (what: 'kill' | 'stop', count: number) =>
    Array.from({ length: count }, () => ({
      what,
      at: draw.whole(0, Math.floor(deliveries * 0.95)),
      place: draw.whole(0, processes - 1),
    }));
  const database = Array.from({ length: databaseKills }, (_, i) => ({
    what: 'kill_database' as const,
    at: Math.floor((deliveries * (i + 1)) / (databaseKills + 1)),
    place: 0,
  }));
  return [...drawn('kill', processKills), ...drawn('stop', processStops), ...database].toSorted(
    (a, b) => a.at - b.at,
  );
}

/** Delivers what is open again, as an agent does that polls, until nothing is pending. */
async function drain(
  cluster: MortalCluster,
  workers: readonly WorkerProcess[],
  steps: readonly Step[],
  announce: (message: string) => void,
): Promise<void> {
  const end = performance.now() + DRAIN_SECONDS * 1_000;
  for (let turn = 0; performance.now() < end; turn++) {
    const operations = await readOperations(cluster);
    const again = steps.filter(({ key }) => (operations.get(key)?.status ?? 'pending') === 'pending');
    if (again.length === 0) return;
    if (turn % 10 === 0) announce(`${again.length} keys are pending`);
    await Promise.all(
      again.map(async ({ kind, context }, i) => {
        await Promise.race([workers[i % workers.length]?.deliver(kind, context), sleep(10_000)]);
      }),
    );
    await sleep(1_000);
  }
}
