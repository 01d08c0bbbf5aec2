import { executorSql } from '../../db/client.ts';
import { createExecutor, postgresStore, type Executor, type Store } from '../../lib/executor/index.ts';
import { runDuties } from '../../lib/workers/run-duties.ts';
import type { Boundary, DeliverMessage, FromWorker, StartMessage, ToWorker } from './messages.ts';
import { ARGUMENTS, chaosTools, toolName } from './tools.ts';

/*
 * A worker process: an executor on the shared table that delivers what it is told, and stands still at a boundary where
 * its parent asks for it. It is killed, stopped and cut off; it never exits by itself while its parent lives.
 */

const say = (message: FromWorker) => process.send?.(message);

let stopAt: Boundary | undefined;
let goOn = () => {};
async function standAt(boundary: Boundary): Promise<void> {
  if (stopAt !== boundary) return;
  stopAt = undefined;
  const told = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  say({ type: 'at', boundary });
  await told;
}

async function start(job: StartMessage): Promise<Executor> {
  if (job.clockShiftMs !== undefined) shiftClock(job.clockShiftMs);
  const real = postgresStore(executorSql(job.databaseUrl, { deadlineMs: 2_000, max: 6 }));
  const store: Store = {
    ...real,
    claim: async (rows) => {
      await standAt('claim');
      return await real.claim(rows);
    },
    transition: async (event, rows) => {
      if (event === 'apply') await standAt('record');
      return await real.transition(event, rows);
    },
  };
  const tools = Object.values(chaosTools({ url: job.desklineUrl }, job.times)).map((tool) => ({
    ...tool,
    effect: async (call: Parameters<typeof tool.effect>[0]) => {
      await standAt('effect');
      return await tool.effect(call);
    },
  }));
  const executor = await createExecutor({
    environments: ['production'],
    store,
    tools,
    worker: job.worker,
    authorize: async () => ({ allowed: true, policyVersion: 'chaos' }),
  });
  const never = new AbortController().signal;
  if (job.duties) void runDuties({ executor, signal: never, warn: () => {} });
  return executor;
}

/** The time of day of this process alone; no lease may depend on it. */
function shiftClock(ms: number): void {
  const Real = Date;
  const now = () => Real.now() + ms;
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    get: (target, name, receiver) =>
      name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
  });
}

async function deliver(executor: Executor, { id, kind, context, stopAt: at }: DeliverMessage): Promise<void> {
  stopAt = at ?? stopAt;
  try {
    say({ type: 'outcome', id, outcome: await executor.execute(toolName(kind), ARGUMENTS[kind], context) });
  } catch (error) {
    say({ type: 'rejected', id, because: error instanceof Error ? error.message : 'unknown error' });
  }
}

let executor: Promise<Executor> | undefined;
process.on('message', (message: ToWorker) => {
  if (message.type === 'go') goOn();
  else if (message.type === 'deliver') void executor?.then((held) => deliver(held, message));
  else {
    executor = started(message);
    void executor.then(() => say({ type: 'ready' }));
  }
});
process.once('disconnect', () => process.exit(1));

/** The database may be down just now: tried again until it is there. */
async function started(job: StartMessage): Promise<Executor> {
  for (;;) {
    try {
      return await start(job);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'DatabaseError') throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
