import { createHash, randomUUID } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertContract, insertOperation, insertUser } from './testing/factories.ts';
import { testDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
let superuser: Client;
let console_: Pool;
let operator: string;
let tenant: string;

beforeAll(async () => {
  database = await testDatabase();
  superuser = new Client({ connectionString: database.urls.superuser });
  await superuser.connect();
  console_ = new Pool({ connectionString: database.urls.console, max: 64 });
  console_.on('error', () => {});
  await insertContract(superuser);
});
afterAll(async () => {
  await console_.end();
  await superuser.end();
  await database.drop();
});
beforeEach(async () => {
  // a tenant of its own: a chain that starts empty
  tenant = `t_${randomUUID().slice(0, 8)}`;
  operator = await insertUser(superuser, ['operator'], { tenant_id: tenant });
});

const DECIDE = `select app.decide($1, $2, 'production', $3, 1, $4, 'applied', 'Deskline shows it.', $5, '{}') as answer`;
const decide = async (key: string, id = randomUUID()) =>
  (await console_.query<{ answer: { outcome: string } }>(DECIDE, [operator, tenant, key, id, `ticket_${id}`]))
    .rows[0]?.answer;

interface Entry {
  sequence: string;
  body: Buffer;
  previous_hash: Buffer;
  hash: Buffer;
}
const chain = async () =>
  (
    await superuser.query<Entry>('select * from audit_entries where tenant_id = $1 order by sequence', [
      tenant,
    ])
  ).rows;

/** Recomputes the chain from the stored bytes; answers the first bad sequence, or null. */
function firstBad(entries: Entry[]): number | null {
  let previous: Buffer = Buffer.alloc(0);
  for (const [i, entry] of entries.entries()) {
    const hash = createHash('sha256').update(previous).update(entry.body).digest();
    const honest =
      Number(entry.sequence) === i + 1 &&
      entry.previous_hash.equals(previous) &&
      entry.hash.equals(hash) &&
      (JSON.parse(entry.body.toString('utf8')) as { sequence: number }).sequence === i + 1;
    if (!honest) return i + 1;
    previous = entry.hash;
  }
  return null;
}

test('[S01] when the audit append raises, the decision fails and the operation row is byte-identical', async () => {
  const key = await insertOperation(superuser, { tenant_id: tenant });
  const text = async () =>
    (
      await superuser.query<{ t: string }>(
        'select o::text as t from tool_operations o where operation_key = $1',
        [key],
      )
    ).rows[0]?.t;
  const before = await text();
  await superuser.query(
    `create function app.break_audit() returns trigger language plpgsql as 'begin raise exception ''disk full''; end'`,
  );
  await superuser.query(
    'create trigger break_audit before insert on audit_entries execute function app.break_audit()',
  );
  try {
    await expect(decide(key)).rejects.toThrow('disk full');
  } finally {
    await superuser.query('drop trigger break_audit on audit_entries; drop function app.break_audit()');
  }
  expect(await text()).toBe(before);
  expect((await superuser.query('select from decisions where operation_key = $1', [key])).rowCount).toBe(0);
  expect(await decide(key)).toMatchObject({ outcome: 'decided' });
});

test('[S02] kill -9 of the deciding process at any point leaves decision and audit both there or both absent', async () => {
  const ROUNDS = 10;
  let both = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const key = await insertOperation(superuser, { tenant_id: tenant });
    const id = randomUUID();
    await killedWhileDeciding([database.urls.console, DECIDE, operator, tenant, key, id], round);
    // the server notices the lost client by itself; nobody waits for it longer than the row lock
    const { rows } = await superuser.query<{ status: string }>(
      'select status from tool_operations where operation_key = $1 for update',
      [key],
    );
    const counts = await superuser.query<{ decisions: string; entries: string }>(
      `select (select count(*) from decisions where decision_id = $1) as decisions,
        (select count(*) from audit_entries where tenant_id = $2 and operation_key = $3) as entries`,
      [id, tenant, key],
    );
    const happened = rows[0]?.status === 'applied' ? '1' : '0';
    expect(counts.rows[0]).toEqual({ decisions: happened, entries: happened });
    if (happened === '1') both += 1;
  }
  expect(both).toBeGreaterThan(0); // some kills came after the commit
  expect(firstBad(await chain())).toBeNull();
}, 180_000);

/** Each round kills a little later than the one before: before, inside and after the statement. */
async function killedWhileDeciding(args: string[], round: number): Promise<void> {
  const child: ChildProcess = fork(new URL('./testing/decide-once.ts', import.meta.url), args, {
    stdio: 'ignore',
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
    child.once('message', () => setTimeout(() => child.kill('SIGKILL'), round * 0.8));
  });
}

test('[S03] the console role cannot write audit, by any statement', async () => {
  const attempts = [
    `update audit_entries set body = '' where true`,
    'delete from audit_entries',
    'truncate audit_entries',
    `insert into audit_entries values ('acme', 'production', 1, now(), 'a', 'b', null, '', '', '')`,
    'alter table audit_entries disable trigger all',
    'update audit_heads set sequence = 0',
    'delete from audit_heads',
    'drop table audit_entries',
    `select app.append_audit('acme', 'production', 'a', 'b', null, '{}')`,
  ];
  for (const attempt of attempts)
    await expect(console_.query(attempt), attempt).rejects.toMatchObject({ code: '42501' });
});

test('[S05] 64 concurrent decisions of one tenant make sequence 1 to 64 without gaps, on an empty chain', async () => {
  const keys: string[] = [];
  for (let i = 0; i < 64; i++) keys.push(await insertOperation(superuser, { tenant_id: tenant }));
  expect(await chain()).toEqual([]);
  const answers = await Promise.all(keys.map((key) => decide(key)));
  expect(new Set(answers.map((a) => a?.outcome))).toEqual(new Set(['decided']));
  const entries = await chain();
  expect(entries.map((e) => Number(e.sequence))).toEqual(Array.from({ length: 64 }, (_, i) => i + 1));
  expect(firstBad(entries)).toBeNull();
  const flipped = structuredClone(entries);
  const byte = Buffer.from(flipped[30]?.body ?? '');
  byte[40] = (byte[40] ?? 0) ^ 1;
  if (flipped[30]) flipped[30].body = byte;
  expect(
    firstBad(
      flipped.map((e) => ({
        ...e,
        body: Buffer.from(e.body),
        previous_hash: Buffer.from(e.previous_hash),
        hash: Buffer.from(e.hash),
      })),
    ),
  ).toBe(31);
});
