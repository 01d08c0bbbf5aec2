import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { foreignEnvironment } from '../../lib/env.ts';
import type { OperationContext, Outcome } from '../../lib/executor/index.ts';
import type { Boundary, FromWorker, StartMessage, ToWorker } from './messages.ts';
import type { Kind } from './tools.ts';

/** What a delivery came to; `gone` where the worker ended before it answered. */
export type Delivered =
  { type: 'outcome'; outcome: Outcome } | { type: 'rejected'; because: string } | { type: 'gone' };

export interface WorkerProcess {
  deliver: (kind: Kind, context: OperationContext, stopAt?: Boundary) => Promise<Delivered>;
  /** Resolves when it stands still at its boundary. */
  standing: Promise<Boundary>;
  /** Lets it go on from there. */
  go: () => void;
  /** SIGSTOP: timers and heartbeats stand still too. */
  stop: () => void;
  /** SIGCONT */
  wake: () => void;
  /** SIGKILL; resolves when it is gone. */
  kill: () => Promise<void>;
  isGone: () => boolean;
}

/** Starts a worker and answers when its executor is registered. */
export async function startWorker(job: Omit<StartMessage, 'type'>): Promise<WorkerProcess> {
  const child = fork(path.join(import.meta.dirname, 'worker-main.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    env: { ...foreignEnvironment(), NODE_ENV: 'production' },
  });
  const waiting = new Map<number, (what: Delivered) => void>();
  let ids = 0;
  let isGone = false;
  let reached = (_boundary: Boundary) => {};
  const standing = new Promise<Boundary>((resolve) => {
    reached = resolve;
  });
  const tell = (message: ToWorker) => {
    if (child.connected) child.send(message, () => {});
  };
  const ready = new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the worker ${job.worker} ended before it was ready`)));
    child.on('message', (message: FromWorker) => {
      if (message.type === 'ready') resolve();
      else if (message.type === 'at') reached(message.boundary);
      else {
        const { id, ...what } = message;
        waiting.get(id)?.(what);
        waiting.delete(id);
      }
    });
  });
  child.once('exit', () => {
    isGone = true;
    for (const answer of waiting.values()) answer({ type: 'gone' });
    waiting.clear();
  });
  tell({ type: 'start', ...job });
  await ready;
  return {
    standing,
    deliver: (kind, context, stopAt) =>
      new Promise((resolve) => {
        const id = ++ids;
        if (isGone) return resolve({ type: 'gone' });
        waiting.set(id, resolve);
        tell({ type: 'deliver', id, kind, context, ...(stopAt !== undefined && { stopAt }) });
      }),
    go: () => tell({ type: 'go' }),
    stop: () => void child.kill('SIGSTOP'),
    wake: () => void child.kill('SIGCONT'),
    isGone: () => isGone,
    kill: async () => {
      if (isGone) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
