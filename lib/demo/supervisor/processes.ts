import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether a process of that id runs, whoever owns it. One that ended and was not collected does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return procStat(pid)?.state !== 'Z';
}

/** The process's arguments in one line, empty when there is none or it may not be read. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** The id of the process's parent; 0 when it cannot be told. */
export function parentOf(pid: number): number {
  if (process.platform === 'linux') return procStat(pid)?.parent ?? 0;
  return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? 0);
}

/**
 * When the process started, in whatever form the system tells it: with the id it names one process for good,
 * where the id alone is given out again. Empty when it cannot be told.
 */
export function startOf(pid: number): string {
  if (process.platform === 'linux') return procStat(pid)?.started ?? '';
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

function procStat(pid: number): { state: string; parent: number; started: string } | undefined {
  try {
    // "pid (name) state ppid …", and the name may hold spaces and parentheses; the 22nd field is the start
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', parent: Number(fields[1]), started: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

/** Waits until the process is gone; false when it still lives after `withinMs`. */
export async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await sleep(25);
  }
  return true;
}
