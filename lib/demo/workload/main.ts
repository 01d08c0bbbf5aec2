import path from 'node:path';
import { parseArgs } from 'node:util';
import { env, need } from '../../env.ts';
import { logger } from '../../logger.ts';
import { runWorkload } from './workload.ts';

const USAGE = 'usage: node lib/demo/workload/main.ts [--seed TEXT] [--workers N] [--pace N] [--items N]';

/** The agents of the demo and their workers, as a process of its own. */
async function main(): Promise<void> {
  const { seed, workers, pace, items } = readArguments();
  const log = logger('workload');
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error('the workload stops'));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await runWorkload({
    databaseUrl: need('DATABASE_EXECUTOR_URL'),
    desklineUrl: need('DESKLINE_URL'),
    dir: path.join(env().DATA_DIR, 'workload'),
    seed,
    workers,
    pace,
    items,
    announce: (message) => console.log(`[workload] ${message}`),
    warn: (message, error) =>
      log.warn({ reason: error instanceof Error ? error.message : undefined }, message),
    signal: stopping.signal,
    onReady: () => console.log('[workload] ready'),
  });
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: 'replay-desk' },
      workers: { type: 'string', default: '3' },
      pace: { type: 'string', default: '1' },
      items: { type: 'string', default: 'Infinity' },
    },
  });
  const numbers = { workers: Number(values.workers), pace: Number(values.pace), items: Number(values.items) };
  if (!Object.values(numbers).every((value) => value > 0)) throw new Error(USAGE);
  return { seed: values.seed, ...numbers };
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error('[workload]', error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
