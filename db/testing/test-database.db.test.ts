import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOGIN_ROLES, ROLE_NAMES } from '../roles.ts';
import { assertLoopback, testDatabase, type TestDatabase } from './test-database.ts';

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows[0]?.[0];
  } finally {
    await client.end();
  }
}

describe('testDatabase', () => {
  let one: TestDatabase;
  let other: TestDatabase;
  beforeAll(async () => {
    [one, other] = await Promise.all([testDatabase(), testDatabase()]);
  });
  afterAll(async () => {
    await Promise.all([one.drop(), other.drop()]);
  });

  test('each role logs in with its own URL', async () => {
    for (const role of LOGIN_ROLES) {
      expect(await ask(one.urls[role], 'select current_user')).toBe(ROLE_NAMES[role]);
    }
  });

  test('two databases share nothing', async () => {
    await ask(one.urls.owner, 'create table mine (id int)');
    expect(await ask(other.urls.owner, `select to_regclass('mine')::text`)).toBeNull();
  });

  test('application roles own nothing, create nothing, and are bound by row-level security', async () => {
    for (const role of ['console', 'executor', 'auditor'] as const) {
      const powers = `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb from pg_roles where rolname = current_user`;
      expect(await ask(one.urls[role], powers)).toBe(false);
      await expect(ask(one.urls[role], 'create table theirs (id int)')).rejects.toMatchObject({
        code: '42501',
      });
      await expect(ask(one.urls[role], 'create schema theirs')).rejects.toMatchObject({ code: '42501' });
    }
  });

  test('a server that is not this machine is refused before it is asked anything', () => {
    expect(() => assertLoopback('postgres://u:p@db.example.com/postgres')).toThrow('not on db.example.com');
    expect(() => assertLoopback('postgres://u:p@127.0.0.1.example.com/postgres')).toThrow(
      'this machine only',
    );
    expect(() => assertLoopback('postgres://u:p@[::1]:5432/postgres')).not.toThrow();
  });
});
