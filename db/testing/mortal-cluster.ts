import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataIn } from '../../lib/demo/embedded-postgres/postmaster.ts';
import { startPostgres, type RunningPostgres } from '../../lib/demo/embedded-postgres/start.ts';
import { freePort } from '../../lib/demo/supervisor/port.ts';
import { migrate } from '../migrate.ts';
import { asSuperuser, DATABASE_NAME, prepareDatabase, roleUrls, type RoleUrls } from '../prepare-database.ts';
import type { RolePasswords } from '../roles.ts';

/** A Postgres of a test's own, migrated, that may be killed, started again and copied. */
export interface MortalCluster {
  urls: RoleUrls & { superuser: string };
  /** Ends the postmaster with -9, as a crash does; its backends follow it. */
  kill: () => Promise<void>;
  /** Stops it in order. */
  stop: () => Promise<void>;
  /** Starts it again on the same port; recovers from its write-ahead log after a kill. */
  start: () => Promise<void>;
  /** What a standby has at this moment: a copy of the stopped cluster, to be promoted later. */
  copy: () => Standby;
  /** Ends and removes it. */
  remove: () => Promise<void>;
}

/** Loopback is all that sees them, and they go with the cluster. */
const PASSWORDS: RolePasswords = {
  owner: 'owner',
  console: 'console',
  executor: 'executor',
  auditor: 'auditor',
};

/** A copy that is not started yet. */
interface Standby {
  /** Starts the copy as the primary of a new timeline. */
  promote: () => Promise<MortalCluster>;
}

export async function startMortalCluster(): Promise<MortalCluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'replay-desk-mortal-'));
  chmodSync(folder, 0o711); // lets the postgres account pass
  const cluster = await openIn(folder, path.join(folder, 'postgres'));
  const anyDatabase = new URL(cluster.urls.superuser);
  anyDatabase.pathname = '/postgres';
  await prepareDatabase({ superuserUrl: anyDatabase.href, passwords: PASSWORDS });
  await migrate({ ownerUrl: cluster.urls.owner });
  return cluster;
}

async function openIn(folder: string, dir: string): Promise<MortalCluster> {
  const port = await freePort();
  const open = () => startAgain({ dir, port, log: `${dir}.log`, durable: false });
  let running = await open();
  const superuser = new URL(running.superuserUrl);
  superuser.pathname = `/${DATABASE_NAME}`;
  const stop = () => running.stop();
  return {
    urls: { ...roleUrls(running.superuserUrl, PASSWORDS, DATABASE_NAME), superuser: superuser.href },
    kill: async () => {
      process.kill(running.pid, 'SIGKILL');
      await stop(); // waits until it is gone
    },
    stop,
    start: async () => {
      running = await open();
    },
    copy: () => {
      const other = `${dir}-standby`;
      execFileSync('cp', ['-a', dir, other]);
      return { promote: () => promote(folder, other) };
    },
    remove: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ends the copy's recovery where its own log ends: on a new timeline, since no archive has more. */
async function promote(folder: string, dir: string): Promise<MortalCluster> {
  const data = dataIn(dir);
  const { uid, gid } = statSync(data);
  for (const [name, text] of [
    ['recovery.signal', ''],
    ['postgresql.auto.conf', "restore_command = '/bin/false'\n"],
  ] as const) {
    writeFileSync(path.join(data, name), text);
    chownSync(path.join(data, name), uid, gid);
  }
  const promoted = await openIn(folder, dir);
  await asSuperuser(promoted.urls.superuser, async (client) => {
    const isRecovering = async () =>
      (await client.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering')).rows[0]
        ?.recovering;
    while (await isRecovering()) await sleep(50);
  });
  return promoted;
}

/** The backends of a killed postmaster hold its memory and its port for a moment longer. */
async function startAgain(options: Parameters<typeof startPostgres>[0]): Promise<RunningPostgres> {
  const end = performance.now() + 20_000;
  for (;;) {
    try {
      return await startPostgres(options);
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(100);
    }
  }
}
