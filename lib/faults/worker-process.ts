import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { foreignEnvironment } from '../env.ts';
import { operationKey, type OperationContext, type Outcome } from '../executor/index.ts';
import type { Boundary, FromWorker, StartWorker, ToWorker } from './messages.ts';
import { until } from './until.ts';

/** A delivery under way at a worker. */
interface Delivered {
  /** Settles with its outcome; rejects when the worker failed or ended before it. */
  outcome: Promise<Outcome>;
}

/** A worker process as the runner drives it. */
export interface WorkerProcess {
  name: string;
  deliver(args: unknown, context: OperationContext, stopAt?: Boundary): Delivered;
  /** Resolves once the worker stands still under this key. */
  stands(key: string): Promise<void>;
  /** Lets it go on. */
  resume(key: string): void;
  revoke(actor: string): void;
  /** SIGSTOP: timers and heartbeats stand still too, as when a machine sleeps. */
  stop(): void;
  /** SIGCONT */
  cont(): void;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

/** Starts a worker and waits until its executor is registered. @throws where it does not start */
export async function startWorker(given: Omit<StartWorker, 'type'>): Promise<WorkerProcess> {
  const child = fork(path.join(import.meta.dirname, 'worker-main.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    // none of this product's settings: what a worker needs comes in its first message
    env: { ...foreignEnvironment(), NODE_ENV: 'production' },
  });
  const waiting = new Map<number, { resolve: (outcome: Outcome) => void; reject: (error: Error) => void }>();
  const standing = new Set<string>();
  const answered = new Map<string, Outcome>();
  let ready = false;
  let failed: string | null = null;
  let ids = 0;

  child.on('message', (message) => {
    const said = message as FromWorker;
    if (said.type === 'ready') ready = true;
    else if (said.type === 'standing') standing.add(said.key);
    else if (said.type === 'outcome') waiting.get(said.id)?.resolve(said.outcome);
    else if (said.id === null) failed = said.message;
    else waiting.get(said.id)?.reject(new Error(said.message));
  });
  child.on('exit', () => {
    failed ??= `the worker ${given.worker} ended`;
    for (const { reject } of waiting.values()) reject(new Error(failed));
  });
  const tell = (message: ToWorker) => child.send(message);
  tell({ type: 'start', ...given });
  await until(() => {
    if (failed !== null) throw new Error(failed);
    return ready;
  }, `the start of ${given.worker}`);

  return {
    name: given.worker,
    deliver: (args, context, stopAt) => {
      const id = ++ids;
      const outcome = new Promise<Outcome>((resolve, reject) => waiting.set(id, { resolve, reject }));
      const key = operationKey(context);
      answered.delete(key);
      // a killed worker's delivery is awaited by nobody
      outcome.then((answer) => answered.set(key, answer)).catch(() => {});
      tell({ type: 'deliver', id, args, context, stopAt: stopAt ?? null });
      return { outcome };
    },
    stands: (key) =>
      until(() => {
        const { status, reason } = answered.get(key) ?? {};
        if (status !== undefined)
          throw new Error(`${given.worker} was to stand still, and answered ${status} ${reason ?? ''}`);
        return standing.has(key);
      }, `${given.worker} to stand still`),
    resume: (key) => {
      standing.delete(key);
      tell({ type: 'resume', key });
    },
    revoke: (actor) => tell({ type: 'revoke', actor }),
    stop: () => child.kill('SIGSTOP'),
    cont: () => child.kill('SIGCONT'),
    kill: () => kill(child),
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
