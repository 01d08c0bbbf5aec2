import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertContract, insertOperation, insertUser } from './testing/factories.ts';
import { testDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
let superuser: Client;
let epoch: string;
beforeAll(async () => {
  database = await testDatabase();
  superuser = new Client({ connectionString: database.urls.superuser });
  await superuser.connect();
  await insertContract(superuser);
  const { rows } = await superuser.query<{ epoch: string }>('select epoch from app.epochs');
  epoch = rows[0]?.epoch ?? '';
});
afterAll(async () => {
  await superuser.end();
  await database.drop();
});

/** As after a fail-over: this server's epoch is not accepted. */
async function unaccepted(work: () => Promise<void>): Promise<void> {
  await superuser.query('update app.epochs set accepted_at = null, accepted_by = null');
  try {
    await work();
  } finally {
    await superuser.query(`update app.epochs set accepted_at = now(), accepted_by = 'test'`);
  }
}

async function as<T>(role: 'console' | 'executor', work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: database.urls[role] });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test('the first epoch, which migrated, is accepted, and every role may judge by it', async () => {
  expect(epoch).toMatch(/^\d+\/[0-9A-F]{8}$/);
  for (const role of ['console', 'executor'] as const) {
    const answer = await as(role, (client) => client.query('select app.epoch_accepted() as accepted'));
    expect(answer.rows).toEqual([{ accepted: true }]);
  }
});

test('[S44] a decision does not believe what the session of the console says about the epoch', async () => {
  const key = await insertOperation(superuser, { doubt_attempt: null });
  const user = await insertUser(superuser, ['operator']);
  const decide = `select app.decide($1, 'acme', 'production', $2, 1, gen_random_uuid(), 'failed_permanent', 'It did not happen.', null, '{}') as answer`;
  await unaccepted(async () => {
    await as('console', async (client) => {
      await client.query(`select set_config('app.accepted_epoch', $1, false)`, [epoch]);
      const { rows } = await client.query(decide, [user, key]);
      expect(rows).toMatchObject([{ answer: { outcome: 'refused', refusal: 'older_epoch' } }]);
    });
  });
  await as('console', async (client) => {
    const { rows } = await client.query(decide, [user, key]);
    expect(rows).toMatchObject([{ answer: { outcome: 'decided' } }]);
  });
});

test('only the owner accepts', async () => {
  for (const role of ['console', 'executor'] as const)
    await as(role, async (client) => {
      await expect(client.query(`select app.accept_epoch('me', 'because')`)).rejects.toMatchObject({
        code: '42501',
      });
    });
});
