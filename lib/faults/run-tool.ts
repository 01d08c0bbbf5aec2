import { play } from './play.ts';
import { isPassed, rowOf, type FaultReport, type PlayedTiming } from './report.ts';
import type { FaultRow, Timing } from './row.ts';
import { EVERY_ROW } from './rows/every-row.ts';
import type { FaultSubject } from './subject.ts';
import { openTheatre } from './theatre.ts';

export interface RunOptions {
  /** The file that `subject` comes from; workers load it too. */
  module: string;
  subject: FaultSubject;
  /** Of the executor's role, on a database of the run's own. */
  databaseUrl: string;
  /** How many timings of each row are played, each with a seed of its own; all that there are by default. */
  timings?: number;
  /** The rows to play; all by default. */
  only?: (row: FaultRow, timing: Timing) => boolean;
  /** The seed of a row's first timing. */
  seed?: number;
  /** Told after each play. */
  progress?: (done: number, of: number, row: FaultRow, played: PlayedTiming) => void;
}

/** Most of a play is waiting for a lease or a settle window: so many of them wait together. */
const AT_ONCE = 6;

/** Plays every row with one tool; resolves with the report, whatever failed in it. */
export async function runTool(options: RunOptions): Promise<FaultReport> {
  const { module, subject, databaseUrl, progress } = options;
  const startedAt = new Date();
  const started = performance.now();
  const theatre = await openTheatre(module, subject, databaseUrl);
  try {
    const tasks = tasksOf(options);
    const plays = new Map<FaultRow, PlayedTiming[]>(EVERY_ROW.map((row) => [row, []]));
    let done = 0;
    await inParallel(tasks, async ({ row, timing, seed, at }) => {
      const played = await play(theatre, row, timing, seed);
      const ofRow = plays.get(row) ?? [];
      ofRow[at] = played;
      progress?.(++done, tasks.length, row, played);
    });
    const rows = [...plays]
      .filter(([, played]) => played.length > 0)
      .map(([row, played]) => rowOf(row, played));
    const { contract } = theatre.shipped;
    return {
      tool: contract.name,
      tool_version: contract.version,
      contract_digest: theatre.shippedDigest,
      played_digest: theatre.playedDigest,
      started_at: startedAt.toISOString(),
      seconds: Math.round((performance.now() - started) / 100) / 10,
      passed: isPassed(rows, Object.values(contract.tests ?? {}).flat()),
      rows,
    };
  } finally {
    await theatre.close();
  }
}

interface Task {
  row: FaultRow;
  timing: Timing;
  seed: number;
  /** Its place among the row's plays. */
  at: number;
}

/** Beyond the number of its timings, a row's timings are played again with other seeds. */
function tasksOf({ timings, only = () => true, seed = 1 }: RunOptions): Task[] {
  return EVERY_ROW.flatMap((row) => {
    const able = row.timings.filter((timing) => only(row, timing));
    const count = able.length === 0 ? 0 : (timings ?? able.length);
    return Array.from({ length: count }, (_, at): Task => {
      const timing = able[at % able.length] as Timing;
      return { row, timing, seed: seed + at, at };
    });
  });
}

async function inParallel<T>(tasks: readonly T[], work: (task: T) => Promise<void>): Promise<void> {
  const waiting = [...tasks];
  const lane = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await work(task);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
