import { setTimeout as sleep } from 'node:timers/promises';
import {
  startPostgres,
  type PostgresExit,
  type RunningPostgres,
  type StartOptions,
} from '../embedded-postgres/start.ts';
import type { Supervisor } from './supervisor.ts';

const CRASHES_FORGIVEN = 5;
const WITHIN_MS = 10 * 60_000;
const PAUSE_MS = 500;

/**
 * Postgres as a part of the product: stopped in its turn, started again after a crash with a line that says so.
 * More than 5 crashes in 10 minutes are not for us to hide: `giveUp` is told.
 */
export async function runPostgres(options: {
  supervisor: Supervisor;
  start: Omit<StartOptions, 'onExit'>;
  announce: (message: string) => void;
  giveUp: (reason: string) => void;
}): Promise<RunningPostgres> {
  const { supervisor, start, announce, giveUp } = options;
  const crashes: number[] = [];
  let current: Promise<RunningPostgres>;

  const launch = () => {
    current = startPostgres({ ...start, onExit: (exit) => void recover(exit) });
    return current;
  };
  const recover = async ({ code, signal }: PostgresExit) => {
    if (supervisor.stopping.aborted) return;
    const now = performance.now();
    crashes.push(now);
    const recent = crashes.filter((at) => now - at < WITHIN_MS).length;
    const how = signal ?? `exit code ${code}`;
    if (recent > CRASHES_FORGIVEN) {
      giveUp(
        `Postgres ended ${recent} times in 10 minutes, last with ${how}. Its own words are in ${start.log}.`,
      );
      return;
    }
    announce(`Postgres ended (${how}); starting it again, it will recover by itself`);
    await sleep(PAUSE_MS); // its workers need a moment to notice
    if (supervisor.stopping.aborted) return;
    try {
      await launch();
      announce('Postgres runs again');
    } catch (error) {
      giveUp(error instanceof Error ? error.message : String(error));
    }
  };

  const first = launch();
  supervisor.adopt({
    stop: async () => {
      const postgres = await current.catch(() => undefined);
      await postgres?.stop();
    },
    kill: () => void current.then(({ pid }) => process.kill(pid, 'SIGQUIT')).catch(() => {}),
  });
  return first;
}
