import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Outcome } from '../../executor/index.ts';
import type { Delivery, FromWorker, ToWorker } from './messages.ts';
import type { Boundary } from './plan/step.ts';
import type { Policy } from './policy.ts';

/** A delivery whose answer never came: the worker ended, or could not reach the database. It is delivered again. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
}

export type Kill = { key: string; at: Boundary; worker: string };

export type CrewOptions = {
  size: number;
  policy: Policy;
  /** Hexadecimal; keys the per-field digests of the trace. */
  fieldDigestKey: string;
  /** Told when a worker has been killed at a boundary. */
  onKilled: (kill: Kill) => void;
  announce: (message: string) => void;
  /** Told where the workers' environment is not this process's own, by tests. */
  env?: NodeJS.ProcessEnv;
};

/** Several worker processes, kept running, and the deaths of those that are to die. */
export type Crew = {
  /** Settles when a worker can take deliveries. */
  ready: () => Promise<void>;
  /** Hands a delivery to a worker other than `not` where there is one. Refuses with `AnswerLost`. */
  deliver: (delivery: Delivery, not?: string) => Promise<{ outcome: Outcome; worker: string }>;
  setPolicy: (policy: Policy) => void;
  /** Asks all to end, waits, and ends those that do not. */
  stop: () => Promise<void>;
};

type Worker = {
  name: string;
  child: ChildProcess;
  isReady: boolean;
  waiting: Map<number, { resolve: (outcome: Outcome) => void; reject: (error: AnswerLost) => void }>;
  /** The boundary that it was killed at. */
  killedAt?: { key: string; at: Boundary };
};

const file = path.join(import.meta.dirname, 'worker.ts');
const dieWithParent = pathToFileURL(path.join(import.meta.dirname, '../supervisor/die-with-parent.ts')).href;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** Longer than any call budget: a worker that is silent for so long is not waited for. */
const ANSWER_MS = 30_000;
const GRACE_MS = 4_000;

/** Starts `size` workers and starts each again whenever it ends. */
export function startCrew(options: CrewOptions): Crew {
  const { size, fieldDigestKey, onKilled, announce, env } = options;
  const workers = new Map<string, Worker>();
  const stopping = new AbortController();
  let { policy } = options;
  let deliveries = 0;
  /** Settled at the next moment that a worker is ready, or the crew stops; everybody who waits shares it. */
  let nextReady = Promise.withResolvers<void>();
  const wakeAll = () => {
    nextReady.resolve();
    nextReady = Promise.withResolvers<void>();
  };

  /** Answers how it ended, null where it had become ready. */
  const launch = (name: string): Promise<string | null> => {
    const child = fork(file, [], {
      execArgv: ['--import', dieWithParent],
      ...(env !== undefined && { env }),
    });
    const worker: Worker = { name, child, isReady: false, waiting: new Map() };
    workers.set(name, worker);
    child.on('message', (message) => receive(worker, message as FromWorker));
    send(worker, { type: 'start', worker: name, policy, fieldDigestKey });
    return new Promise((resolve) => {
      const end = (how: string) => {
        workers.delete(name);
        for (const { reject } of worker.waiting.values()) reject(new AnswerLost(`${name} ended`));
        if (worker.killedAt !== undefined) onKilled({ ...worker.killedAt, worker: name });
        resolve(worker.isReady ? null : how);
      };
      child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
      child.once('error', (error) => end(error.message));
    });
  };

  const keepRunning = async (name: string) => {
    let waitMs = FIRST_WAIT_MS;
    while (!stopping.signal.aborted) {
      const trouble = await launch(name);
      if (stopping.signal.aborted) return;
      waitMs = trouble === null ? FIRST_WAIT_MS : Math.min(waitMs * 2, LONGEST_WAIT_MS);
      if (trouble !== null)
        announce(`${name} did not start (${trouble}); tried again in ${waitMs / 1_000} s`);
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };

  const receive = (worker: Worker, message: FromWorker) => {
    switch (message.type) {
      case 'ready':
        worker.isReady = true;
        wakeAll();
        break;
      case 'boundary':
        worker.killedAt = { key: message.key, at: message.at };
        worker.child.kill('SIGKILL');
        break;
      case 'outcome':
        worker.waiting.get(message.id)?.resolve(message.outcome);
        worker.waiting.delete(message.id);
        break;
      case 'failed':
        worker.waiting.get(message.id)?.reject(new AnswerLost(message.message));
        worker.waiting.delete(message.id);
        break;
    }
  };

  /** What a dead worker is told is lost with it; its end is heard elsewhere. */
  const send = ({ child }: Worker, message: ToWorker) => {
    child.send(message, () => {});
  };

  const chooseWorker = async (not: string | undefined): Promise<Worker> => {
    while (true) {
      stopping.signal.throwIfAborted();
      const able = [...workers.values()].filter(({ isReady, killedAt }) => isReady && killedAt === undefined);
      const others = able.filter(({ name }) => name !== not);
      const from = others.length > 0 ? others : able;
      const chosen = from[Math.floor(Math.random() * from.length)];
      if (chosen !== undefined) return chosen;
      await nextReady.promise;
    }
  };

  const names = Array.from({ length: size }, (_, i) => `worker-${i + 1}`);
  const kept = names.map(keepRunning);

  return {
    ready: async () => {
      await chooseWorker(undefined);
    },
    deliver: async (delivery, not) => {
      const worker = await chooseWorker(not);
      const id = deliveries++;
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      const late = setTimeout(() => reject(new AnswerLost(`${worker.name} is silent`)), ANSWER_MS);
      worker.waiting.set(id, { resolve, reject });
      send(worker, { type: 'deliver', id, delivery });
      try {
        return { outcome: await promise, worker: worker.name };
      } finally {
        clearTimeout(late);
        worker.waiting.delete(id);
      }
    },
    setPolicy: (next) => {
      policy = next;
      for (const worker of workers.values()) send(worker, { type: 'policy', policy });
    },
    stop: async () => {
      stopping.abort(new AnswerLost('the workload stops'));
      wakeAll();
      for (const { child } of workers.values()) child.kill('SIGTERM');
      const late = setTimeout(() => {
        for (const { child } of workers.values()) child.kill('SIGKILL');
      }, GRACE_MS);
      await Promise.all(kept);
      clearTimeout(late);
    },
  };
}
