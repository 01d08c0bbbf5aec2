import { randomBytes } from 'node:crypto';
import { escapeIdentifier } from 'pg';
import { inject } from 'vitest';
import { asSuperuser, roleUrls, type RoleUrls } from '../prepare-database.ts';
import { databaseSql, ROLE_NAMES, type RolePasswords } from '../roles.ts';

/** What the global setup provides to the files of the `db` project. */
export type TestCluster = { superuserUrl: string; template: string };

declare module 'vitest' {
  interface ProvidedContext {
    testCluster: TestCluster;
  }
}

/** Fixed, so that two runs on one cluster do not take each other's logins away; loopback is all that sees them. */
export const TEST_PASSWORDS: RolePasswords = {
  owner: 'test-owner',
  console: 'test-console',
  executor: 'test-executor',
  auditor: 'test-auditor',
};

export type TestDatabase = {
  name: string;
  urls: RoleUrls & { superuser: string };
  /** Ends every connection to it and removes it. */
  drop: () => Promise<void>;
};

/** A database of the test file's own: a copy of the migrated template, made in some 50 ms. */
export async function testDatabase(): Promise<TestDatabase> {
  const { superuserUrl, template } = inject('testCluster');
  assertLoopback(superuserUrl);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(superuserUrl, (client) =>
    client.query(
      `create database ${escapeIdentifier(name)} owner ${ROLE_NAMES.owner} template ${escapeIdentifier(template)}`,
    ),
  );
  // grants on the database itself are not copied with it
  await asSuperuser(superuserUrl, (client) => client.query(databaseSql(name)), name);
  const superuser = new URL(superuserUrl);
  superuser.pathname = `/${name}`;
  return {
    name,
    urls: { ...roleUrls(superuserUrl, TEST_PASSWORDS, name), superuser: superuser.href },
    drop: async () => {
      await asSuperuser(superuserUrl, (client) =>
        client.query(`drop database if exists ${escapeIdentifier(name)} with (force)`),
      );
    },
  };
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Tests make and drop databases and roles: never on a server that somebody may need. */
export function assertLoopback(url: string): void {
  const { hostname } = new URL(url);
  if (!LOOPBACK.has(hostname)) {
    throw new Error(`Tests make and drop databases, so they run on this machine only, not on ${hostname}.`);
  }
}
