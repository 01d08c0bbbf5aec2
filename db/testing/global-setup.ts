import { randomBytes } from 'node:crypto';
import { escapeIdentifier } from 'pg';
import type { TestProject } from 'vitest/node';
import { env } from '../../lib/env.ts';
import { migrate } from '../migrate.ts';
import { asSuperuser, prepareDatabase } from '../prepare-database.ts';
import { startTemporaryCluster } from './temporary-cluster.ts';
import { assertLoopback, TEST_PASSWORDS, type TestCluster } from './test-database.ts';

/**
 * One Postgres for the whole run, with a template database that has every migration; test files copy it.
 * `TEST_PG_URL` (a superuser on loopback) uses a running Postgres instead.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { superuserUrl, stop } = await openCluster(env().TEST_PG_URL);
  const template = `template_${randomBytes(6).toString('hex')}`;
  const close = async () => {
    await asSuperuser(superuserUrl, (client) =>
      client.query(`drop database if exists ${escapeIdentifier(template)} with (force)`),
    );
    await stop();
  };
  try {
    const urls = await prepareDatabase({ superuserUrl, passwords: TEST_PASSWORDS, database: template });
    await migrate({ ownerUrl: urls.owner });
  } catch (error) {
    await close();
    throw error;
  }
  project.provide('testCluster', { superuserUrl, template } satisfies TestCluster);
  return close;
}

async function openCluster(url: string | undefined): ReturnType<typeof startTemporaryCluster> {
  if (url === undefined) return startTemporaryCluster();
  assertLoopback(url);
  return { superuserUrl: url, stop: async () => {} };
}
