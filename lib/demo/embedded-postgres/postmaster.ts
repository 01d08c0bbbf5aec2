import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { commandLine, isAlive, isGone, parentOf } from '../supervisor/processes.ts';

/** Below a home: the cluster, the bootstrap superuser's password, and the id of the process that started it. */
export const dataIn = (home: string) => path.join(home, 'data');
export const passwordFileIn = (home: string) => path.join(home, 'superuser-password');
export const ownerFileIn = (home: string) => path.join(home, 'started-by');

/** What `postmaster.pid` says: the process, and whether it takes queries. Undefined without a readable file. */
export function readPostmaster(data: string): { pid: number; ready: boolean } | undefined {
  try {
    const lines = readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stops the Postgres of `home` that a killed parent left behind, and says so. A process that merely got the
 * same id is left alone; a Postgres whose parent still lives is refused, because somebody is using it.
 */
export async function stopOrphan(home: string, announce: (message: string) => void): Promise<void> {
  const data = dataIn(home);
  const found = readPostmaster(data);
  if (found === undefined || !isAlive(found.pid)) return;
  const { pid } = found;
  if (!commandLine(pid).includes(data)) {
    // Postgres would take the stranger for its predecessor and refuse to start.
    rmSync(path.join(data, 'postmaster.pid'), { force: true });
    return;
  }
  const owner = existsSync(ownerFileIn(home)) ? Number(readFileSync(ownerFileIn(home), 'utf8')) : 0;
  if (owner > 0 && parentOf(pid) === owner) {
    throw new Error(`Postgres ${pid} already runs on ${data}, started by process ${owner}. Stop that first.`);
  }
  announce(`stopping Postgres ${pid}, which an earlier run left behind`);
  for (const [signal, graceMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    process.kill(pid, signal);
    if (await isGone(pid, graceMs)) return;
  }
  throw new Error(`Postgres ${pid}, left behind by an earlier run, does not stop. End it and start again.`);
}
