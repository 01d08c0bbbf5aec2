import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isAlive, startOf } from './processes.ts';

const holderShape = z.object({ pid: z.number().int().positive(), started: z.string(), url: z.string() });
type Holder = z.output<typeof holderShape>;

export type Lock = {
  /** Whether a run that was killed had left its lock: its children may need a moment to end. */
  takenOver: boolean;
  release: () => void;
};

/**
 * Makes this process the only one that works in `dataDir`. Refuses, naming address and process, while another one
 * does; the lock of a process that is gone, or whose id somebody else has now, is taken over.
 */
export function acquireLock(dataDir: string, url: string): Lock {
  const file = path.join(dataDir, 'lock');
  const mine: Holder = { pid: process.pid, started: startOf(process.pid), url };
  const release = () => {
    if (readHolder(file)?.pid === process.pid) rmSync(file, { force: true });
  };
  if (create(file, mine)) return { takenOver: false, release };

  const found = readHolder(file);
  if (found !== undefined && holds(found)) {
    throw new Error(
      `Replay Desk is already running on ${found.url}, pid ${found.pid}. ` +
        'Stop it first, or set PORT and DATA_DIR to start a second one.',
    );
  }
  removeStale(file, found);
  if (!create(file, mine)) throw new Error(`Another start took ${file} at the same moment. Start again.`);
  return { takenOver: true, release };
}

/** The run that works in `dataDir` now; undefined when none does. */
export function lockHolder(dataDir: string): { pid: number; url: string } | undefined {
  const found = readHolder(path.join(dataDir, 'lock'));
  return found !== undefined && holds(found) ? found : undefined;
}

/** Whether it still runs, and its process id was not given to somebody else. */
const holds = ({ pid, started }: Holder) => isAlive(pid) && startOf(pid) === started;

function create(file: string, holder: Holder): boolean {
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined when it is unreadable too: a machine that lost power leaves an empty file. */
function readHolder(file: string): Holder | undefined {
  try {
    return holderShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Moves the stale lock away, and puts it back if it turns out to be the new lock of a faster start. */
function removeStale(file: string, stale: Holder | undefined): void {
  const aside = `${file}.${process.pid}`;
  renameSync(file, aside);
  const moved = readHolder(aside);
  if (moved?.pid !== stale?.pid || moved?.started !== stale?.started) linkSync(aside, file);
  rmSync(aside, { force: true });
}
