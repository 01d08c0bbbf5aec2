import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertOperation } from './testing/factories.ts';
import { testDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
let superuser: Client;
beforeAll(async () => {
  database = await testDatabase();
  superuser = new Client({ connectionString: database.urls.superuser });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await database.drop();
});

const names = async (sql: string) => (await superuser.query<{ name: string }>(sql)).rows.map((r) => r.name);

const TENANT_TABLES = `select c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`;

test('every tenant table forces row-level security', async () => {
  expect(await names(`select relname as name from (${TENANT_TABLES}) t`)).toContain('tool_operations');
  expect(
    await names(
      `select relname as name from (${TENANT_TABLES}) t where not (relrowsecurity and relforcerowsecurity)`,
    ),
  ).toEqual([]);
});

test('every unique index and foreign key of a tenant table contains tenant_id', async () => {
  expect(
    await names(`select i.indexrelid::regclass::text as name from pg_index i join (${TENANT_TABLES}) t on t.oid = i.indrelid
      where i.indisunique and not exists (select from pg_attribute a where a.attrelid = i.indrelid and a.attname = 'tenant_id' and a.attnum = any (i.indkey))`),
  ).toEqual([]);
  expect(
    await names(`select f.conname as name from pg_constraint f join (${TENANT_TABLES}) t on t.oid = f.conrelid
      join (${TENANT_TABLES}) r on r.oid = f.confrelid
      where f.contype = 'f' and not exists (select from pg_attribute a where a.attrelid = f.conrelid and a.attname = 'tenant_id' and a.attnum = any (f.conkey))`),
  ).toEqual([]);
});

test('application roles own nothing and bypass nothing', async () => {
  expect(
    await names(
      `select rolname as name from pg_roles where rolname like 'replay\\_%' and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)`,
    ),
  ).toEqual([]);
  expect(
    await names(`select relname as name from pg_class where relowner in (select oid from pg_roles where rolname in
      ('replay_console', 'replay_executor', 'replay_auditor', 'replay_foreign_writer'))`),
  ).toEqual([]);
});

test('every definer function belongs to the definer, pins its search path, and is not for everybody', async () => {
  const definers = `select p.* from pg_proc p where p.pronamespace = 'app'::regnamespace and p.prosecdef`;
  expect((await names(`select proname as name from (${definers}) p`)).length).toBeGreaterThan(5);
  expect(
    await names(`select proname as name from (${definers}) p where pg_get_userbyid(proowner) <> 'replay_definer'
      or not coalesce(array_to_string(proconfig, ',') like 'search_path=pg_catalog%', false)`),
  ).toEqual([]);
  expect(
    await names(`select proname as name from pg_proc p where p.pronamespace = 'app'::regnamespace
    and has_function_privilege('public', p.oid, 'execute')`),
  ).toEqual([]);
});

test('the console writes no table directly', async () => {
  expect(
    await names(`select distinct table_name as name from information_schema.role_table_grants
      where grantee in ('replay_console', 'replay_auditor') and privilege_type <> 'SELECT'`),
  ).toEqual([]);
});

test('a query without a scope is refused, and a scope shows its own rows alone', async () => {
  await insertOperation(superuser, { tenant_id: 'acme' });
  await insertOperation(superuser, { tenant_id: 'globex' });
  await insertOperation(superuser, { tenant_id: 'acme', environment: 'staging' });
  const reader = new Client({ connectionString: database.urls.console });
  await reader.connect();
  await expect(reader.query('select * from tool_operations')).rejects.toMatchObject({ code: '42501' });
  await reader.query(`begin read only; select set_config('app.scopes', E'acme\\x1fproduction', true)`);
  const { rows } = await reader.query<{ scope: string }>(
    `select distinct tenant_id || '/' || environment as scope from tool_operations`,
  );
  await reader.query('commit');
  expect(rows).toEqual([{ scope: 'acme/production' }]);
  await expect(reader.query('select * from tool_operations')).rejects.toMatchObject({ code: '42501' });
  await reader.end();
});
