import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { CONFIGURATIONS } from './configurations.ts';
import type { Found, Violation } from './explore.ts';
import { SOMETIMES } from './sometimes.ts';

/** One piece of an exploration, for one thread. */
export type Piece =
  | { how: 'all'; configuration: string; depth: number }
  | { how: 'seeds'; configuration: string; first: number; count: number };

export interface Simulated {
  /** Complete runs, each from the first delivery to rest. */
  schedules: number;
  violations: Violation[];
  /** Choices that were taken in every order, from the beginning. */
  depth: number;
  /** Random walks beyond it. */
  seeds: number;
  sometimes: Record<string, number>;
  /** States that were never reached. */
  missing: string[];
  seconds: number;
}

export interface SimulateOptions {
  depth: number;
  seeds: number;
  /** Of the random walks; they go on from it one by one. */
  firstSeed?: number;
  threads?: number;
  /** Ends with the first violation. */
  untilViolation?: boolean;
  onProgress?: (schedules: number) => void;
}

const SEEDS_OF_A_PIECE = 1_000;

/** Explores every configuration: all orders of choices to a depth, then seeded walks; as many threads as the machine has. */
export async function simulate({
  depth,
  seeds,
  firstSeed = 1,
  threads = availableParallelism(),
  untilViolation = false,
  onProgress = () => {},
}: SimulateOptions): Promise<Simulated> {
  const startedAt = performance.now();
  const pieces = piecesOf(depth, seeds, firstSeed);
  const found: Found = { schedules: 0, pruned: 0, violations: [], sometimes: {} };
  const work = async () => {
    const worker = new Worker(new URL('./simulation-thread.ts', import.meta.url));
    try {
      for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
        const one = await ask(worker, piece);
        found.schedules += one.schedules;
        found.pruned += one.pruned;
        found.violations.push(...one.violations);
        for (const [state, times] of Object.entries(one.sometimes))
          found.sometimes[state] = (found.sometimes[state] ?? 0) + times;
        onProgress(found.schedules);
        if (untilViolation && found.violations.length > 0) pieces.length = 0;
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, pieces.length) }, work));
  return {
    schedules: found.schedules,
    violations: found.violations,
    depth,
    seeds,
    sometimes: Object.fromEntries(SOMETIMES.map((state) => [state, found.sometimes[state] ?? 0])),
    missing: SOMETIMES.filter((state) => found.sometimes[state] === undefined),
    seconds: (performance.now() - startedAt) / 1_000,
  };
}

/** The long ones first, so that the threads end together. */
function piecesOf(depth: number, seeds: number, firstSeed: number): Piece[] {
  const each = Math.ceil(seeds / CONFIGURATIONS.length);
  const names = CONFIGURATIONS.map(({ name }) => name);
  const walks = names.flatMap((configuration, of) => {
    const count = Math.max(0, Math.min(each, seeds - of * each));
    return Array.from({ length: Math.ceil(count / SEEDS_OF_A_PIECE) }, (_, i): Piece => ({
      how: 'seeds',
      configuration,
      first: firstSeed + i * SEEDS_OF_A_PIECE,
      count: Math.min(SEEDS_OF_A_PIECE, count - i * SEEDS_OF_A_PIECE),
    }));
  });
  const all = names.map((configuration): Piece => ({ how: 'all', configuration, depth }));
  return depth > 0 ? [...all, ...walks] : walks;
}

function ask(worker: Worker, piece: Piece): Promise<Found> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (found: Found) => {
      worker.off('error', reject);
      resolve(found);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(piece);
  });
}
