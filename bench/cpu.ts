import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in ticks of 10 ms. */
const TICK_MICROSECONDS = 10_000;

/** Processor time of a process and its living children so far, in microseconds; null where /proc is not there. */
export function cpuOfFamily(parent: number): number | null {
  let sum = 0;
  try {
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      const stat = readStat(name);
      if (stat !== null && (Number(name) === parent || stat.parent === parent)) sum += stat.ticks;
    }
  } catch {
    return null; // not Linux
  }
  return sum * TICK_MICROSECONDS;
}

function readStat(pid: string): { parent: number; ticks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return null; // it has ended
  }
}

export const cpuOfThisProcess = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
