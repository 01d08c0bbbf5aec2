import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeClients, executorSql } from '../../db/client.ts';
import { startMortalCluster, type MortalCluster } from '../../db/testing/mortal-cluster.ts';
import { desklineControl } from '../../lib/demo/deskline/client.ts';
import { startDeskline } from '../../lib/demo/deskline/start-deskline.ts';
import { seeded } from '../../lib/demo/workload/plan/seeded.ts';
import { createExecutor, postgresStore, type Executor } from '../../lib/executor/index.ts';
import { runDuties } from '../../lib/workers/run-duties.ts';
import { startLink, type Link, type Side } from './link.ts';
import { BOUNDARIES, type Boundary } from './messages.ts';
import { stepOf, type Step } from './step.ts';
import { readOperations, tally, type Acknowledged, type Tally } from './tally.ts';
import { ARGUMENTS, chaosTools, DESKLINE_SETTINGS, KINDS, SHORT, toolName } from './tools.ts';
import { startWorker, type Delivered, type WorkerProcess } from './worker-process.ts';

const FAULTS = ['kill', 'stop', 'reset', 'black_hole', 'delay'] as const;
type Fault = (typeof FAULTS)[number];

/** One seed's fault and where it meets the call: before the request arrives, or before its reply does. */
interface Injection {
  fault: Fault;
  boundary: Boundary;
  side: Side;
  delayMs: number;
}

export interface SeedsReport extends Tally {
  seeds: number;
  /** By fault, boundary and side: how the operations ended. */
  by_fault: Record<string, Record<string, number>>;
  seconds: number;
}

/** How long one operation may take to come to its end. */
const END_SECONDS = 120;
const AT_ONCE = 6;

/** Every fault at every boundary and side for every kind takes turns; how long a delay is comes from the seed. */
function injectionOf(seed: number): Injection {
  const turn = Math.floor(seed / KINDS.length);
  const fault = FAULTS[turn % FAULTS.length] as Fault;
  const boundary = BOUNDARIES[Math.floor(turn / FAULTS.length) % BOUNDARIES.length] as Boundary;
  const isReply = Math.floor(turn / (FAULTS.length * BOUNDARIES.length)) % 2 === 1;
  return {
    fault,
    boundary,
    side: isReply ? 'reply' : 'request',
    delayMs: seeded(`seed ${seed}`).whole(50, 3_000),
  };
}

/**
 * One fault in each call of a worker process of its own, while another executor on the same table takes up what is left
 * and the call is delivered again; effects are counted at the downstream.
 */
export async function runSeeds(options: {
  seeds: readonly number[];
  announce: (message: string) => void;
}): Promise<SeedsReport> {
  const started = performance.now();
  const dir = await mkdtemp(path.join(tmpdir(), 'chaos-'));
  const [cluster, deskline] = await Promise.all([startMortalCluster(), startDeskline({ port: 0, dir })]);
  const control = desklineControl(deskline.url);
  const stop = new AbortController();
  const acknowledged: Acknowledged[] = [];
  try {
    await control.setConfig(DESKLINE_SETTINGS);
    const executor = await createExecutor({
      environments: ['production'],
      store: postgresStore(executorSql(cluster.urls.executor)),
      tools: Object.values(chaosTools({ url: deskline.url })),
      worker: 'rescuer',
      authorize: async () => ({ allowed: true, policyVersion: 'chaos' }),
    });
    const duties = runDuties({ executor, signal: stop.signal, warn: () => {} });
    const waiting = [...options.seeds];
    let done = 0;
    const slot = async () => {
      for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
        acknowledged.push(...(await playSeed(seed, { cluster, executor, desklineUrl: deskline.url })));
        done += 1;
        if (done % 25 === 0) options.announce(`${done} of ${options.seeds.length} seeds`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, slot));
    stop.abort();
    await duties;
    const steps = options.seeds.map(stepOf);
    return {
      seeds: options.seeds.length,
      ...(await tally(cluster, control, steps, acknowledged)),
      by_fault: await endsByFault(cluster, options.seeds),
      seconds: Math.round((performance.now() - started) / 1_000),
    };
  } finally {
    stop.abort();
    await closeClients();
    await deskline.close();
    await cluster.remove();
    await rm(dir, { recursive: true, force: true });
  }
}

interface Place {
  cluster: MortalCluster;
  executor: Executor;
  desklineUrl: string;
}

/** Plays one seed to its end; answers the receipts that callers were given. */
async function playSeed(seed: number, place: Place): Promise<Acknowledged[]> {
  const step = stepOf(seed);
  const injection = injectionOf(seed);
  const links = await Promise.all([linkTo(place.cluster.urls.executor), linkTo(place.desklineUrl)]);
  const [database, downstream] = links;
  const worker = await startWorker({
    databaseUrl: database.url(place.cluster.urls.executor),
    desklineUrl: downstream.url(place.desklineUrl),
    worker: `seed-${seed}`,
    duties: false,
  });
  try {
    const first = worker.deliver(step.kind, step.context, injection.boundary);
    const reached = await Promise.race([worker.standing, first]);
    if (typeof reached !== 'string') throw new Error(`seed ${seed} did not reach ${injection.boundary}`);
    const link = injection.boundary === 'effect' ? downstream : database;
    const struck = strike(worker, link, step.key, injection);
    const references = await deliverToTheEnd(step, place);
    await struck;
    const answer = await Promise.race([first, sleep<Delivered>(20_000, { type: 'gone' })]);
    if (answer.type === 'outcome' && ['applied', 'replayed'].includes(answer.outcome.status))
      references.push(answer.outcome.effect_reference);
    return references.map((reference) => ({ key: step.key, reference }));
  } finally {
    await worker.kill();
    await Promise.all(links.map((link) => link.close()));
  }
}

function linkTo(url: string): Promise<Link> {
  const { hostname, port } = new URL(url);
  return startLink({ host: hostname, port: Number(port) });
}

/** Lets the standing worker go on into the fault. */
async function strike(
  worker: WorkerProcess,
  link: Link,
  key: string,
  { fault, side, delayMs }: Injection,
): Promise<void> {
  if (fault === 'kill' || fault === 'stop') {
    if (side === 'reply') {
      const met = link.trouble('reply', 'hold', key);
      worker.go();
      await met;
    }
    if (fault === 'kill') return await worker.kill();
    worker.stop();
    link.release();
    await sleep((SHORT.leaseSeconds + 1) * 1_000);
    worker.wake();
    if (side === 'request') worker.go();
    return;
  }
  const met = link.trouble(side, fault === 'delay' ? { delayMs } : fault, key);
  worker.go();
  await met;
  if (fault !== 'black_hole') return;
  await sleep(4_000);
  link.heal();
}

/** Another delivery now and then, as agents and queues do, until the operation has come to its end. */
async function deliverToTheEnd(step: Step, { cluster, executor }: Place): Promise<(string | null)[]> {
  const references: (string | null)[] = [];
  const end = performance.now() + END_SECONDS * 1_000;
  while (performance.now() < end) {
    await sleep(700);
    const outcome = await executor.execute(toolName(step.kind), ARGUMENTS[step.kind], step.context);
    if (outcome.status === 'applied' || outcome.status === 'replayed')
      references.push(outcome.effect_reference);
    const operation = (await readOperations(cluster)).get(step.key);
    if (operation !== undefined && operation.status !== 'pending') break;
  }
  return references;
}

async function endsByFault(
  cluster: MortalCluster,
  seeds: readonly number[],
): Promise<SeedsReport['by_fault']> {
  const operations = await readOperations(cluster);
  const ends: SeedsReport['by_fault'] = {};
  for (const seed of seeds) {
    const { fault, boundary, side } = injectionOf(seed);
    const counts = (ends[`${fault} ${boundary} ${side}`] ??= {});
    const state = operations.get(stepOf(seed).key)?.status ?? 'no operation';
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return ends;
}
