import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeClients, consoleSql } from '../../db/client.ts';
import { NEWEST_MIGRATION } from '../../db/newest-migration.ts';
import { testDatabase, type TestDatabase } from '../../db/testing/test-database.ts';
import { readiness } from './readiness.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await closeClients();
  await database.drop();
});

const asOwner = async (sql: string) => {
  const client = new Client({ connectionString: database.urls.owner });
  await client.connect();
  await client.query(sql);
  await client.end();
};

test('a migrated database makes the process ready', async () => {
  expect(await readiness(consoleSql(database.urls.console))).toEqual({
    status: 'ready',
    checks: [
      { name: 'database', ok: true },
      { name: 'schema', ok: true },
    ],
  });
});

test('a database of another version does not, and both versions are named', async () => {
  await asOwner(`delete from app.schema_migrations where name = '${NEWEST_MIGRATION}'`);
  const older = await readiness(consoleSql(database.urls.console));
  expect(older).toMatchObject({ status: 'not_ready', checks: [{ ok: true }, { name: 'schema', ok: false }] });
  expect(older.checks[1]?.why).toMatch(new RegExp(`is at .+ this build needs ${NEWEST_MIGRATION}`));
  await asOwner(`insert into app.schema_migrations values ('9999_newer.sql', '')`);
  const newer = await readiness(consoleSql(database.urls.console));
  expect(newer.checks[1]?.why).toContain('is at 9999_newer.sql');
});

test('a database that does not answer does not, and the answer says so without an address', async () => {
  const nowhere = await readiness(consoleSql('postgres://someone:secret@127.0.0.1:1/x'));
  expect(nowhere).toMatchObject({
    status: 'not_ready',
    checks: [{ name: 'database', ok: false }, { ok: false }],
  });
  expect(JSON.stringify(nowhere)).not.toMatch(/someone|secret/);
});
