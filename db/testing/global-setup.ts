import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { escapeIdentifier } from 'pg';
import type { TestProject } from 'vitest/node';
import { ownerFileIn, stopOrphan } from '../../lib/demo/embedded-postgres/postmaster.ts';
import { isAlive } from '../../lib/demo/embedded-postgres/processes.ts';
import { startPostgres } from '../../lib/demo/embedded-postgres/start.ts';
import { freePort } from '../../lib/demo/supervisor/port.ts';
import { env } from '../../lib/env.ts';
import { migrate } from '../migrate.ts';
import { asSuperuser, prepareDatabase } from '../prepare-database.ts';
import { assertLoopback, TEST_PASSWORDS, type TestCluster } from './test-database.ts';

const PREFIX = 'replay-desk-test-';

/**
 * One Postgres for the whole run, with a template database that has every migration; test files copy it.
 * fsync is off: nobody misses a test's data after a power cut, and nothing else is changed.
 * `TEST_PG_URL` (a superuser on loopback) uses a running Postgres instead.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = env().TEST_PG_URL === undefined ? await startCluster() : given(env().TEST_PG_URL ?? '');
  const { superuserUrl, stop } = cluster;
  const template = `template_${randomBytes(6).toString('hex')}`;
  const drop = () =>
    asSuperuser(superuserUrl, (client) =>
      client.query(`drop database if exists ${escapeIdentifier(template)} with (force)`),
    );
  try {
    const urls = await prepareDatabase({ superuserUrl, passwords: TEST_PASSWORDS, database: template });
    await migrate({ ownerUrl: urls.owner });
  } catch (error) {
    await drop().catch(() => {});
    await stop();
    throw error;
  }
  project.provide('testCluster', { superuserUrl, template } satisfies TestCluster);
  return async () => {
    await drop();
    await stop();
  };
}

function given(superuserUrl: string) {
  assertLoopback(superuserUrl);
  return { superuserUrl, stop: async () => {} };
}

async function startCluster() {
  await sweep();
  const folder = mkdtempSync(path.join(tmpdir(), PREFIX));
  chmodSync(folder, 0o711); // lets the postgres account pass, so that root's tests run in place
  const dir = path.join(folder, 'postgres');
  const log = path.join(folder, 'postgres.log');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const postgres = await startPostgres({ dir, port: await freePort(), log, durable: false }).catch(
    (error) => {
      remove();
      throw error;
    },
  );
  const stop = async () => {
    await postgres.stop();
    remove();
  };
  return { superuserUrl: postgres.superuserUrl, stop };
}

/** Ends and removes what earlier runs left that were killed. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const home = path.join(tmpdir(), name, 'postgres');
    if (!existsSync(ownerFileIn(home)) || isAlive(Number(readFileSync(ownerFileIn(home), 'utf8')))) continue;
    await stopOrphan(home, () => {});
    rmSync(path.dirname(home), { recursive: true, force: true });
  }
}
