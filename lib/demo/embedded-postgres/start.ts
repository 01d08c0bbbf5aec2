import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertPortFree } from '../supervisor/port.ts';
import { postgresAccount, type Account } from './account.ts';
import { postgresBinaries } from './binaries.ts';
import { initialise, postgresEnvironment } from './initialise.ts';
import { dataIn, ownerFileIn, passwordFileIn, readPostmaster, stopOrphan } from './postmaster.ts';
import { openHome } from './refuge.ts';

export type PostgresExit = { code: number | null; signal: NodeJS.Signals | null };

export type StartOptions = {
  /** Postgres's own folder; made when missing. Removing it removes the data. */
  dir: string;
  /** Tested first: `PortInUse` names `PG_PORT`. */
  port: number;
  /** File that Postgres's messages are appended to. */
  log: string;
  /** Told about each step worth a line on the terminal. */
  announce?: (message: string) => void;
  /** Called when Postgres ends though nobody asked it to. */
  onExit?: (exit: PostgresExit) => void;
  /** False turns fsync off: for tests, whose data nobody misses after a power cut. */
  durable?: boolean;
  /** How long a start may take, recovery after a crash included. */
  startSeconds?: number;
};

export type RunningPostgres = {
  port: number;
  pid: number;
  /** The bootstrap superuser, whom row-level security never binds: for roles and migrations only. */
  superuserUrl: string;
  /** Ends it and waits until it is gone. Safe to call twice. */
  stop: () => Promise<void>;
};

/** Starts a PostgreSQL of our own on 127.0.0.1 and answers once it takes queries. */
export async function startPostgres(options: StartOptions): Promise<RunningPostgres> {
  const { port, log, onExit, durable = true, announce = () => {}, startSeconds = 60 } = options;
  const account = postgresAccount();
  const bin = postgresBinaries(account, announce);
  const home = await openHome(path.resolve(options.dir), account, announce);
  await stopOrphan(home, announce);
  await assertPortFree({ port, setting: 'PG_PORT', what: 'Postgres' });
  await initialise({ home, bin, account, durable, announce });

  const child = launch({ home, bin, account, port, log, durable });
  writeFileSync(ownerFileIn(home), String(process.pid));
  const state: { exit?: PostgresExit; stopping: boolean; ready: boolean } = { stopping: false, ready: false };
  const ended = new Promise<void>((resolve) => {
    const end = (exit: PostgresExit) => {
      state.exit ??= exit;
      resolve();
    };
    child.once('error', () => end({ code: null, signal: null }));
    child.once('exit', (code, signal) => {
      end({ code, signal });
      if (state.ready && !state.stopping) onExit?.({ code, signal });
    });
  });

  const stop = async () => {
    state.stopping = true;
    for (const [signal, graceMs] of STOP_SIGNALS) {
      if (state.exit !== undefined) return;
      child.kill(signal);
      await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
    }
    await ended;
  };

  const deadline = performance.now() + startSeconds * 1_000;
  while (!isReady(home, child)) {
    if (state.exit !== undefined) throw new Error(`Postgres did not start. Its own words are in ${log}.`);
    if (performance.now() > deadline) {
      await stop();
      throw new Error(`Postgres was not ready after ${startSeconds} s. Its own words are in ${log}.`);
    }
    await Promise.race([ended, sleep(25)]);
  }
  state.ready = true;
  const password = readFileSync(passwordFileIn(home), 'utf8');
  return {
    port,
    pid: child.pid ?? 0,
    superuserUrl: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop,
  };
}

/** Fast shutdown, then an immediate one, then the end. */
const STOP_SIGNALS = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;

function isReady(home: string, child: ChildProcess): boolean {
  const postmaster = readPostmaster(dataIn(home));
  return postmaster?.pid === child.pid && postmaster?.ready === true;
}

function launch(options: {
  home: string;
  bin: string;
  account: Account;
  port: number;
  log: string;
  durable: boolean;
}): ChildProcess {
  const { home, bin, account, port, log, durable } = options;
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    fsync: durable ? 'on' : 'off',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const output = openSync(log, 'a', 0o600);
  try {
    return spawn(path.join(bin, 'postgres'), ['-D', dataIn(home), ...flags], {
      ...account,
      cwd: home,
      env: postgresEnvironment(),
      detached: true, // a group of its own: Ctrl-C reaches only whoever stops things in order
      stdio: ['ignore', output, output],
    });
  } finally {
    closeSync(output);
  }
}
