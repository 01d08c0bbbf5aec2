import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeClients, scopedReadOn } from '../client.ts';
import { testDatabase, type TestDatabase } from '../testing/test-database.ts';
import { auditEntries } from './audit-entries.ts';
import { auditHeads } from './audit-heads.ts';
import { decisions } from './decisions.ts';
import { lookupRequests } from './lookup-requests.ts';
import { lookups } from './lookups.ts';
import { providerEffects } from './provider-effects.ts';
import { providerFindings } from './provider-findings.ts';
import { providerWalks } from './provider-walks.ts';
import { toolContracts } from './tool-contracts.ts';
import { toolOperationEvents } from './tool-operation-events.ts';
import { toolOperations } from './tool-operations.ts';
import { users } from './users.ts';

const TABLES: PgTable[] = [
  auditEntries,
  auditHeads,
  decisions,
  lookupRequests,
  lookups,
  providerEffects,
  providerFindings,
  providerWalks,
  toolContracts,
  toolOperationEvents,
  toolOperations,
  users,
];

let database: TestDatabase;
let admin: Client;
beforeAll(async () => {
  database = await testDatabase();
  admin = new Client({ connectionString: database.urls.superuser });
  await admin.connect();
});
afterAll(async () => {
  await closeClients();
  await admin.end();
  await database.drop();
});

describe.each(TABLES.map((table) => [getTableConfig(table).name, table] as const))('%s', (name, table) => {
  const described = getTableConfig(table).columns.map((column) => ({
    column: column.name,
    type: column.getSQLType(),
    required: column.notNull,
  }));

  test('is described as the migrations made it', async () => {
    const { rows } = await admin.query<{ column: string; type: string; required: boolean }>(
      `select attname as column, format_type(atttypid, null) as type, attnotnull as required
         from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [`public.${name}`],
    );
    const made = name === 'users' ? rows.filter((row) => ['user_id', 'name'].includes(row.column)) : rows;
    const byName = (a: { column: string }, b: { column: string }) => a.column.localeCompare(b.column);
    expect(described.toSorted(byName)).toEqual(made.toSorted(byName));
  });

  test('can be read whole by the console', async () => {
    const read = scopedReadOn(database.urls.console);
    const scopes = [{ tenantId: 'acme', environment: 'production' }];
    expect(await read(scopes, (reads) => reads.select().from(table))).toEqual([]);
  });
});
