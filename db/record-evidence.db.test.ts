import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertContract, insertOperation } from './testing/factories.ts';
import { testDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
let superuser: Client;
let executor: Client;
beforeAll(async () => {
  database = await testDatabase();
  superuser = new Client({ connectionString: database.urls.superuser });
  executor = new Client({ connectionString: database.urls.executor });
  await Promise.all([superuser.connect(), executor.connect()]);
  await insertContract(superuser);
});
afterAll(async () => {
  await Promise.all([superuser.end(), executor.end()]);
  await database.drop();
});

const idOf = (key: string) => ({
  tenant_id: 'acme',
  environment: 'production',
  operation_key: key,
  trace: {},
});
const record = (key: string, fields: Record<string, unknown>) =>
  executor.query('select app.record_evidence($1)', [
    JSON.stringify([
      { ...idOf(key), source: 'lookup', asked_by: 'x', authoritative: true, summary: 'Seen.', ...fields },
    ]),
  ]);
const row = async (key: string) => {
  const { rows } = await superuser.query<Record<string, unknown>>(
    'select * from tool_operations where operation_key = $1',
    [key],
  );
  return rows[0] ?? {};
};
const version = async (key: string) => Number((await row(key))['version']);

describe('the version changes with what the evidence concludes', () => {
  test('an authority that names another receipt than an advisory lookup did', async () => {
    const key = await insertOperation(superuser);
    await record(key, { answer: 'found', authoritative: false, effect_reference: 'ticket_1' });
    expect(await version(key)).toBe(2);
    await record(key, { answer: 'found', effect_reference: 'ticket_2' });
    expect(await version(key)).toBe(3);
  });

  test('absence that has become conclusive, once', async () => {
    const key = await insertOperation(superuser, { quiet_until: new Date(Date.now() - 500) });
    await record(key, { answer: 'absent' });
    expect(await version(key)).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 600)); // the settle window is a second
    await record(key, { answer: 'absent' });
    expect(await version(key)).toBe(3);
    await record(key, { answer: 'absent' });
    expect(await version(key)).toBe(3);
  });
});

describe('a receipt and the evidence', () => {
  test('two receipts of one operation make it a case, whichever is applied', async () => {
    const key = await insertOperation(superuser, {
      status: 'pending',
      pending_reason: 'recovering',
      next_attempt_at: new Date(),
      recover_until: new Date(Date.now() + 60_000),
    });
    await record(key, { answer: 'found', effect_reference: 'ticket_1' });
    await record(key, { answer: 'found', effect_reference: 'ticket_2', source: 'late_answer' });
    const after = await row(key);
    expect(after).toMatchObject({ status: 'applied', effect_reference: 'ticket_1' });
    expect(after['contradicted_at']).toBeInstanceOf(Date);
    expect(after['case_at']).toBeInstanceOf(Date);
  });

  test('one that was found contradicts no effect that has none', async () => {
    const key = await insertOperation(superuser, { status: 'applied', effect_reference: null });
    await record(key, { answer: 'found', effect_reference: 'ticket_1' });
    expect(await row(key)).toMatchObject({ contradicted_at: null, case_at: null });
  });
});

test.each(['decide_applied', 'decide_failed', 'decide_new_key', 'amend', 'approve', 'nonsense', null])(
  'the executor cannot fire %s: a verdict is a person’s, with its audit entry',
  async (event) => {
    const key = await insertOperation(superuser);
    await expect(
      executor.query('select app.transition($1, $2)', [event, JSON.stringify([idOf(key)])]),
    ).rejects.toMatchObject({ code: '22023' });
    expect(await row(key)).toMatchObject({ status: 'unknown', version: '1' });
  },
);
