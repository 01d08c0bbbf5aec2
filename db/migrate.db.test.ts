import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { testDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
let folder: string;

const write = (name: string, sql: string) => writeFileSync(path.join(folder, name), sql);
const run = (settings = {}) => migrate({ ownerUrl: database.urls.owner, folder, settings });

async function query<Row extends object>(sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: database.urls.superuser });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

beforeEach(async () => {
  database = await testDatabase();
  await query('drop table app.schema_migrations'); // a history of the test's own
  folder = mkdtempSync(path.join(tmpdir(), 'replay-desk-migrations-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

describe('migrate', () => {
  test('applies what is missing in name order, once, and records it', async () => {
    write('0002_more.sql', 'alter table first_things add column more text; select 1;');
    write('0001_first.sql', 'create table first_things (id int);');
    expect(await run()).toEqual(['0001_first.sql', '0002_more.sql']);
    expect(await run()).toEqual([]);
    expect(
      await query('select name, length(sha256) as digits from app.schema_migrations order by 1'),
    ).toEqual([
      { name: '0001_first.sql', digits: 64 },
      { name: '0002_more.sql', digits: 64 },
    ]);
    const owners = await query(`select tableowner from pg_tables where tablename = 'first_things'`);
    expect(owners).toEqual([{ tableowner: 'replay_owner' }]);
  });

  test('a migration that fails leaves nothing behind, and the sentence names file and line', async () => {
    write('0001_half.sql', 'create table half_done (id int);\n\ninsert into no_such_table values (1);');
    await expect(run()).rejects.toThrow(
      /^0001_half\.sql, line 3, failed: relation "no_such_table" does not exist/,
    );
    expect(await query(`select to_regclass('half_done') as oid`)).toEqual([{ oid: null }]);
    expect(await query('select * from app.schema_migrations')).toEqual([]);
  });

  test('a changed text of an applied migration stops the start and names the file', async () => {
    write('0001_first.sql', 'create table first_things (id int);');
    await run();
    write('0001_first.sql', 'create table first_things (id int);\r\n');
    await expect(run()).rejects.toThrow(/^0001_first\.sql was changed after it was applied/);
  });

  test('line ends of the checkout do not change a checksum', async () => {
    write('0001_first.sql', 'create table first_things\n(id int);');
    await run();
    write('0001_first.sql', 'create table first_things\r\n(id int);');
    expect(await run()).toEqual([]);
  });

  test('a database that a newer version migrated is refused', async () => {
    write('0001_first.sql', 'select 1');
    write('0002_newer.sql', 'select 1');
    await run();
    rmSync(path.join(folder, '0002_newer.sql'));
    await expect(run()).rejects.toThrow('The database has 0002_newer.sql, which this version does not know');
  });

  test('a missing migration is never put before an applied one', async () => {
    write('0002_second.sql', 'select 1');
    await run();
    write('0001_late.sql', 'select 1');
    await expect(run()).rejects.toThrow('0001_late.sql is new but comes before 0002_second.sql');
  });

  test('starters at the same time take turns: each migration is applied once', async () => {
    write('0001_first.sql', 'create table first_things (id int); select pg_sleep(0.2);');
    write('0002_more.sql', 'insert into first_things values (1);');
    const applied = await Promise.all([run(), run(), run(), run()]);
    expect(applied.flat().toSorted()).toEqual(['0001_first.sql', '0002_more.sql']);
    expect(await query('select count(*)::int as n from first_things')).toEqual([{ n: 1 }]);
  });

  test('settings are readable inside migrations only', async () => {
    write(
      '0001_first.sql',
      `create table seen as select current_setting('app.adopt_environment', true) as environment;`,
    );
    await run({ 'app.adopt_environment': 'production' });
    expect(await query('select environment from seen')).toEqual([{ environment: 'production' }]);
  });
});
