import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrate } from './migrate.ts';
import { asSuperuser, prepareDatabase, type RoleUrls } from './prepare-database.ts';
import { insertUser } from './testing/factories.ts';
import { TEST_PASSWORDS } from './testing/test-database.ts';

/** The article's own statement, to the letter. */
const ARTICLE = `CREATE TABLE tool_operations (
  tenant_id text NOT NULL,
  operation_key text NOT NULL,
  tool_name text NOT NULL,
  tool_version text NOT NULL,
  request_fingerprint text NOT NULL,
  status text NOT NULL,
  effect_reference text,
  response_json jsonb,
  lease_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, operation_key)
);`;

const STATUSES = ['pending', 'applied', 'failed_permanent', 'unknown', 'in_review'];
const database = `adopt_${randomUUID().slice(0, 8)}`;
const empty = `empty_${randomUUID().slice(0, 8)}`;
let superuserUrl: string;
let urls: RoleUrls;
let superuser: Client;
let filenode: string;

const filenodeOf = async () =>
  (await superuser.query<{ f: string }>(`select pg_relation_filenode('tool_operations')::text as f`)).rows[0]
    ?.f ?? '';

beforeAll(async () => {
  ({ superuserUrl } = inject('testCluster'));
  await asSuperuser(superuserUrl, async (client) => {
    await client.query(`create database ${database}`);
    await client.query(`create database ${empty}`);
    await client.query(
      `do $$ begin if not exists (select from pg_roles where rolname = 'legacy_worker') then create role legacy_worker login password 'legacy'; end if; end $$`,
    );
  });
  const url = new URL(superuserUrl);
  url.pathname = `/${database}`;
  superuser = new Client({ connectionString: url.href });
  await superuser.connect();
  await superuser.query(ARTICLE);
  for (const status of STATUSES)
    await superuser.query(
      `insert into tool_operations (tenant_id, operation_key, tool_name, tool_version, request_fingerprint, status, effect_reference, response_json, lease_until)
       values ('acme', $1, 'tickets.create', '2026-08-18', 'sha256:legacy', $2, $3, $4, $5)`,
      [
        `acme:run_827:${status}`,
        status,
        status === 'applied' ? 'ticket_1042' : null,
        status === 'applied' ? '{"ticket_id":"ticket_1042"}' : null,
        status === 'pending' ? new Date(Date.now() - 3_600_000) : null,
      ],
    );
  filenode = await filenodeOf();
  urls = await prepareDatabase({
    superuserUrl,
    passwords: TEST_PASSWORDS,
    database,
    foreignWriters: ['legacy_worker'],
  });
});
afterAll(async () => {
  await superuser.end();
  await asSuperuser(superuserUrl, async (client) => {
    await client.query(`drop database if exists ${database} with (force)`);
    await client.query(`drop database if exists ${empty} with (force)`);
  });
});

test('rows without an environment stop the migration with a sentence that names the setting', async () => {
  await expect(migrate({ ownerUrl: urls.owner })).rejects.toThrow('Set ADOPT_ENVIRONMENT');
});

test('the article’s table is adopted without a rewrite: open rows are cases, finished ones are not', async () => {
  await migrate({ ownerUrl: urls.owner, settings: { 'app.adopt_environment': 'production' } });
  expect(await filenodeOf()).toBe(filenode); // a rewrite gives the table another file
  const { rows } = await superuser.query<Record<string, unknown>>(
    'select * from tool_operations order by operation_key',
  );
  expect(rows).toHaveLength(STATUSES.length);
  for (const row of rows) {
    expect(row).toMatchObject({ environment: 'production', adopted: true, fingerprint_version: 0 });
    expect(row['case_at'] !== null, String(row['status'])).toBe(
      !['applied', 'failed_permanent'].includes(String(row['status'])),
    );
  }
  expect(rows.find((r) => r['status'] === 'applied')).toMatchObject({
    effect_reference: 'ticket_1042',
    response_json: { ticket_id: 'ticket_1042' },
  });
});

test('adopted rows are decided in the console, also one whose status we do not know', async () => {
  const operator = await insertUser(superuser, ['operator']);
  const owner = new Client({ connectionString: urls.console });
  await owner.connect();
  for (const status of ['pending', 'unknown', 'in_review']) {
    const { rows } = await owner.query<{ answer: unknown }>(
      `select app.decide($1, 'acme', 'production', $2, 1, $3, 'applied', 'The ledger shows it.', $4, '{}') as answer`,
      [operator, `acme:run_827:${status}`, randomUUID(), `ticket_${status}`],
    );
    expect(rows[0]?.answer, status).toMatchObject({ outcome: 'decided', status: 'applied' });
  }
  const { rows } = await owner.query<{ answer: unknown }>(
    `select app.decide($1, 'acme', 'production', 'acme:run_827:applied', 1, $2, 'failed_permanent', 'No.', null, '{}') as answer`,
    [operator, randomUUID()],
  );
  expect(rows[0]?.answer).toMatchObject({ outcome: 'refused', refusal: 'already_resolved' });
  await owner.end();
});

test('a foreign executor goes on writing its rows: version and trace keep up, ours stay closed to it', async () => {
  const url = new URL(superuserUrl);
  Object.assign(url, { username: 'legacy_worker', password: 'legacy', pathname: `/${database}` });
  const legacy = new Client({ connectionString: url.href });
  await legacy.connect();
  await legacy.query(
    `insert into tool_operations (tenant_id, operation_key, tool_name, tool_version, request_fingerprint, status) values ('acme', 'acme:run_9:new', 'tickets.create', '1', 'sha256:x', 'pending')`,
  );
  await legacy.query(`update tool_operations set status = 'unknown' where operation_key = 'acme:run_9:new'`);
  const { rows } = await superuser.query<Record<string, unknown>>(
    `select * from tool_operations where operation_key = 'acme:run_9:new'`,
  );
  expect(rows[0]).toMatchObject({
    status: 'unknown',
    adopted: true,
    version: '2',
    environment: 'production',
  });
  const events = await superuser.query(
    `select kind, actor, from_status, to_status from tool_operation_events where operation_key = 'acme:run_9:new' order by event_id`,
  );
  expect(events.rows).toEqual([
    { kind: 'foreign_write', actor: 'foreign:legacy_worker', from_status: null, to_status: 'pending' },
    { kind: 'foreign_write', actor: 'foreign:legacy_worker', from_status: 'pending', to_status: 'unknown' },
  ]);
  // the article's claim: what meets an existing key writes nothing
  const { rowCount } = await legacy.query(
    `insert into tool_operations (tenant_id, operation_key, tool_name, tool_version, request_fingerprint, status) values ('acme', 'acme:run_9:new', 'tickets.create', '1', 'sha256:x', 'pending') on conflict do nothing`,
  );
  expect(rowCount).toBe(0);
  const all = await superuser.query(
    `select from tool_operation_events where operation_key = 'acme:run_9:new'`,
  );
  expect(all.rowCount).toBe(2);
  await superuser.query(
    `insert into tool_operations (tenant_id, operation_key, environment, tool_name, tool_version, request_fingerprint, status, adopted, sent_attempt, doubt_attempt)
     values ('acme', 'acme:production:run_1:ours', 'production', 't', '1', 'f', 'applied', false, null, null)`,
  );
  await expect(
    legacy.query(
      `update tool_operations set status = 'unknown' where operation_key = 'acme:production:run_1:ours'`,
    ),
  ).rejects.toMatchObject({ code: '42501' });
  // the columns that we judge by are not theirs
  for (const change of [
    'doubt_attempt = null',
    `evidence = 'absent'`,
    `supersedes_key = 'k'`,
    'case_at = null',
  ])
    await expect(
      legacy.query(`update tool_operations set ${change} where operation_key = 'acme:run_9:new'`),
      change,
    ).rejects.toMatchObject({ code: '42501' });
  await legacy.end();
});

test('what a foreign executor takes up again is in doubt again, and what is contradicted stays a case', async () => {
  const url = new URL(superuserUrl);
  Object.assign(url, { username: 'legacy_worker', password: 'legacy', pathname: `/${database}` });
  const legacy = new Client({ connectionString: url.href });
  await legacy.connect();
  const after = async (status: string) => {
    await legacy.query(`update tool_operations set status = $1 where operation_key = 'acme:run_9:new'`, [
      status,
    ]);
    const { rows } = await superuser.query<Record<string, unknown>>(
      `select doubt_attempt, case_at from tool_operations where operation_key = 'acme:run_9:new'`,
    );
    return rows[0];
  };
  await superuser.query(
    `update tool_operations set status = 'applied', doubt_attempt = null, contradicted_at = now() where operation_key = 'acme:run_9:new'`,
  );
  expect((await after('applied'))?.['case_at']).toBeInstanceOf(Date);
  expect(await after('pending')).toMatchObject({ doubt_attempt: 1 });
  await legacy.end();
});

test('a database without the table needs no environment', async () => {
  const fresh = await prepareDatabase({ superuserUrl, passwords: TEST_PASSWORDS, database: empty });
  expect((await migrate({ ownerUrl: fresh.owner })).length).toBeGreaterThan(0);
});
