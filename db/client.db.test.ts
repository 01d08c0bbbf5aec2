import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql as raw } from 'drizzle-orm';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import { Client } from 'pg';
import { drizzle } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseError } from '../lib/errors.ts';
import { closeClients, consoleSql, executorSql, scopedReadOn, type Scope } from './client.ts';
import { jsonb } from './jsonb.ts';
import { instant, jsonb as jsonbColumn } from './schema/column-types.ts';
import { testDatabase, type TestDatabase } from './testing/test-database.ts';

const SCOPES: Scope[] = [
  { tenantId: 'acme', environment: 'production' },
  { tenantId: 'globex', environment: 'staging' },
];

let database: TestDatabase;
let admin: Client;

beforeAll(async () => {
  database = await testDatabase();
  admin = new Client({ connectionString: database.urls.superuser });
  await admin.connect();
  await admin.query(`
    create table scratch (id int primary key, body jsonb, at timestamptz);
    create table numbers (n int);
    insert into numbers select generate_series(1, 100);
    grant all on scratch, numbers to replay_console, replay_executor;`);
});
afterAll(async () => {
  await closeClients();
  await admin.end();
  await database.drop();
});

describe('while backends are killed', () => {
  test('[S39] nothing is uncaught, nothing outlives its deadline, and the pools are usable afterwards', async () => {
    const deadlineMs = 2_000;
    const sql = executorSql(database.urls.executor, { deadlineMs, applicationName: 'victim' });
    const read = scopedReadOn(database.urls.console, { deadlineMs, applicationName: 'victim' });
    const calls = {
      statement: () => sql`select count(*) from numbers where n > ${3}`,
      scoped: () => read(SCOPES, (reads) => reads.execute(raw`select count(*) from numbers where n > ${3}`)),
    };
    const uncaught: unknown[] = [];
    const catcher = (error: unknown) => uncaught.push(error);
    process.on('uncaughtException', catcher).on('unhandledRejection', catcher);

    const seen = { ok: 0, strange: [] as unknown[], longestMs: 0, kills: 0 };
    const end = performance.now() + 6_000;
    const reader = async (call: () => PromiseLike<unknown>) => {
      while (performance.now() < end) {
        const start = performance.now();
        try {
          await call();
          seen.ok += 1;
        } catch (error) {
          const known = error instanceof DatabaseError && ['unavailable', 'deadline'].includes(error.kind);
          if (!known) seen.strange.push(error);
          await sleep(1);
        }
        seen.longestMs = Math.max(seen.longestMs, performance.now() - start);
      }
    };
    const killer = async () => {
      while (performance.now() < end) {
        const { rowCount } = await admin.query(`
          select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'victim' order by random() limit 1`);
        seen.kills += rowCount ?? 0;
        await sleep(150);
      }
    };
    const readers = Object.values(calls).flatMap((call) => Array.from({ length: 8 }, () => reader(call)));
    await Promise.all([...readers, killer()]);
    process.off('uncaughtException', catcher).off('unhandledRejection', catcher);

    expect(uncaught).toEqual([]);
    expect(seen.strange).toEqual([]);
    expect(seen.kills).toBeGreaterThan(20);
    expect(seen.ok).toBeGreaterThan(1_000);
    expect(seen.longestMs).toBeLessThan(deadlineMs + 1_000);
    for (const call of Object.values(calls)) {
      const succeeded = async () => {
        const results = await Promise.allSettled(Array.from({ length: 16 }, () => call()));
        return results.filter((result) => result.status === 'fulfilled').length;
      };
      // a connection that the last kill took may be noticed only when it is used
      await expect.poll(succeeded, { timeout: 10_000 }).toBe(16);
    }
  });
});

describe('a connection that breaks while it is being set up', () => {
  test('[S39] rejects the waiting call, and nothing is left unheard', async () => {
    const proxy = await breaksAfterLogin(new URL(database.urls.executor));
    const sql = executorSql(proxy.url, { deadlineMs: 2_000, max: 1 });
    const uncaught: unknown[] = [];
    const catcher = (error: unknown) => uncaught.push(error);
    process.on('uncaughtException', catcher).on('unhandledRejection', catcher);
    for (let i = 0; i < 3; i += 1) await expect(sql`select 1`).rejects.toMatchObject({ kind: 'unavailable' });
    proxy.mend();
    await expect(sql`select 1 as one`).resolves.toEqual([{ one: 1 }]);
    process.off('uncaughtException', catcher).off('unhandledRejection', catcher);
    expect(uncaught).toEqual([]);
    proxy.close();
  });
});

describe('deadlines', () => {
  const DEADLINE = 400;
  const late = (promise: PromiseLike<unknown>) => within(DEADLINE + 1_500, promise);

  test('[S39] a statement that runs too long is ended on the server too', async () => {
    const sql = consoleSql(database.urls.console, { deadlineMs: DEADLINE });
    const read = scopedReadOn(database.urls.console, { deadlineMs: DEADLINE });
    const calls = [
      () => sql`select pg_sleep(30)`,
      () => read(SCOPES, (reads) => reads.execute(raw`select pg_sleep(30)`)),
    ];
    for (const call of calls) await expect(late(call())).rejects.toMatchObject({ kind: 'deadline' });
    const running = `select from pg_stat_activity where state = 'active' and query = 'select pg_sleep(30)'`;
    await expect.poll(async () => (await admin.query(running)).rowCount).toBe(0);
  });

  test('[S39] many short statements in one read do not outlive it together, and its connection is closed', async () => {
    const read = scopedReadOn(database.urls.console, { deadlineMs: DEADLINE, applicationName: 'patient' });
    const work = read(SCOPES, async (reads) => {
      for (;;) await reads.execute(raw`select pg_sleep(0.02)`);
    });
    await expect(late(work)).rejects.toMatchObject({ kind: 'deadline', sqlstate: null });
    await expect
      .poll(async () => {
        const { rows } = await admin.query(`select from pg_stat_activity where application_name = 'patient'`);
        return rows.length;
      })
      .toBe(0);
    expect(await read(SCOPES, async () => 'usable')).toBe('usable');
  });

  test('[S39] a server that takes connections and never answers is given up on', async () => {
    const hole = await blackHole();
    const url = database.urls.console.replace(/:\d+\//, `:${hole.port}/`);
    const sql = consoleSql(url, { deadlineMs: DEADLINE });
    const read = scopedReadOn(url, { deadlineMs: DEADLINE });
    const kinds = ['deadline', 'unavailable'];
    for (const call of [
      () => sql`select 1`,
      () => read(SCOPES, async (reads) => reads.execute(raw`select 1`)),
    ]) {
      const error = await late(call()).catch((reason: unknown) => reason);
      expect(kinds, String(error)).toContain((error as DatabaseError).kind);
    }
    hole.close();
  });

  test('[S39] a write that met its deadline while it waited for a connection never happens', async () => {
    const sql = executorSql(database.urls.executor, {
      deadlineMs: DEADLINE,
      max: 1,
      applicationName: 'queue',
    });
    await sql`select 1`;
    await admin.query('begin; lock table numbers in access exclusive mode');
    // fills the one connection's pipeline, so that the last one stays in our own queue
    const blocked = Array.from({ length: 150 }, () => sql`select count(*) from numbers`.catch(() => 'late'));
    await expect(late(sql`insert into scratch (id) values (99)`)).rejects.toMatchObject({ kind: 'deadline' });
    await admin.query('commit');
    await Promise.all(blocked);
    await sql`select 1`;
    expect((await admin.query('select from scratch where id = 99')).rows).toEqual([]);
  });
});

describe('scopedRead', () => {
  const scopeOf = (scopes: readonly Scope[]) =>
    scopedReadOn(database.urls.console)(scopes, (reads) =>
      reads.execute<{ scope: string }>(raw`select current_setting('app.scopes', true) as scope`),
    );

  test('tells the database exactly the scopes, for one transaction', async () => {
    const { rows } = await scopeOf(SCOPES);
    expect(rows).toEqual([{ scope: 'acme\u001fproduction\u001eglobex\u001fstaging' }]);
    const quoted = await scopeOf([{ tenantId: `o'neil\\`, environment: 'a:b' }]);
    expect(quoted.rows).toEqual([{ scope: `o'neil\\\u001fa:b` }]);
  });

  test('answers no rows to somebody without grants, and does not ask the database', async () => {
    const read = scopedReadOn('postgres://nobody@127.0.0.1:1/nowhere');
    const numbers = pgTable('numbers', { n: integer() });
    expect(await read([], (reads) => reads.select().from(numbers))).toEqual([]);
    expect(await read([], async (reads) => (await reads.execute(raw`select 1`)).rows)).toEqual([]);
  });

  test('[S21] a name that holds a separator is refused: it could name another tenant', async () => {
    for (const tenantId of ['acme\u001fproduction\u001eglobex', 'a\u001e', 'a\u0000', '']) {
      await expect(scopeOf([{ tenantId, environment: 'production' }])).rejects.toMatchObject({
        kind: 'invalid',
      });
    }
  });

  test('cannot write', async () => {
    const write = scopedReadOn(database.urls.console)(SCOPES, (reads) =>
      reads.execute(raw`insert into scratch (id) values (98)`),
    );
    await expect(write).rejects.toMatchObject({ sqlstate: '25006' });
  });

  test('what the read itself throws comes through as it is, and the pool stays whole', async () => {
    const read = scopedReadOn(database.urls.console, { max: 2 });
    const own = new Error('not found');
    for (let i = 0; i < 5; i += 1) {
      await expect(read(SCOPES, () => Promise.reject(own))).rejects.toBe(own);
    }
    expect(await read(SCOPES, async () => 'usable')).toBe('usable');
  });
});

describe('errors', () => {
  const CANARY = 'canary-7f3a';
  const scratch = pgTable('scratch', { id: integer(), body: jsonbColumn() });

  test('[S11] hold no parameter, whichever driver and whichever statement', async () => {
    const sql = consoleSql(database.urls.console);
    const read = scopedReadOn(database.urls.console);
    const failures: (() => PromiseLike<unknown>)[] = [
      () => sql`select ${CANARY}::text::int`,
      () => sql`select ${CANARY}::text::jsonb`,
      () => sql`insert into scratch (id) values (1), (1) returning ${CANARY}::text`,
      () => sql`select ${new Date()}::text, ${{ [CANARY]: 1 } as never}::int`,
      () => read(SCOPES, (reads) => reads.execute(raw`select ${CANARY}::text::int`)),
      () =>
        read(SCOPES, (reads) =>
          reads
            .select()
            .from(scratch)
            .where(raw`id = ${CANARY}`),
        ),
      () => read(SCOPES, (reads) => reads.execute(raw`select no_such_column, ${CANARY}`)),
    ];
    for (const failure of failures) {
      const error = await failure().then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(DatabaseError);
      const shown = [
        JSON.stringify(error),
        String((error as Error).stack),
        JSON.stringify({ ...(error as object) }),
      ];
      expect(shown.join()).not.toContain(CANARY);
      expect((error as Error).cause).toBeUndefined();
    }
  });

  test('say what kind they are', async () => {
    const sql = consoleSql(database.urls.console);
    await expect(sql`select 1/0`).rejects.toMatchObject({ kind: 'invalid', sqlstate: '22012' });
    await expect(sql`select nothing`).rejects.toMatchObject({ kind: 'defect', sqlstate: '42703' });
    await expect(sql`drop table numbers`).rejects.toMatchObject({ kind: 'denied', sqlstate: '42501' });
    await expect(sql`insert into scratch (id) values (7), (7)`).rejects.toMatchObject({
      kind: 'duplicate',
      constraint: 'scratch_pkey',
    });
    await expect(consoleSql('postgres://u:p@127.0.0.1:1/x')`select 1`).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });
});

describe('values', () => {
  const BODIES = [{ a: [1, 'x'] }, [1, { b: null }], '10.5', 10.5, null] as const;
  const TYPES = ['object', 'array', 'string', 'number', 'null'];
  const scratch = pgTable('scratch', { id: integer().primaryKey(), body: jsonbColumn(), at: instant() });
  const types = async () =>
    (
      await admin.query<{ type: string }>('select jsonb_typeof(body) as type from scratch order by id')
    ).rows.map((row) => row.type);
  beforeEach(async () => {
    await admin.query('truncate scratch');
  });

  test('[B146] a JSON value of each type is stored as itself through raw sql, and read back as it was', async () => {
    const sql = executorSql(database.urls.executor);
    for (const [id, body] of BODIES.entries()) {
      await sql`insert into scratch (id, body) values (${id}, ${jsonb(sql, body)})`;
    }
    expect(await types()).toEqual(TYPES);
    expect((await sql`select body from scratch order by id`).map((row) => row['body'])).toEqual(BODIES);
    const [arrow] = await sql`select body -> 'a' ->> 1 as found from scratch where id = 0`;
    expect(arrow).toEqual({ found: 'x' });
  });

  test('[B146] a JSON value of each type is stored as itself through drizzle, and read back as it was', async () => {
    const db = drizzle(admin);
    for (const [id, body] of BODIES.entries()) {
      await db.insert(scratch).values({ id, body: body === null ? raw`'null'::jsonb` : (body as never) });
    }
    expect(await types()).toEqual(TYPES);
    const rows = await db.select({ body: scratch.body }).from(scratch).orderBy(scratch.id);
    expect(rows.map((row) => row.body)).toEqual(BODIES);
    const [arrow] = await db
      .select({ found: raw`body -> 'a' ->> 1` })
      .from(scratch)
      .where(raw`id = 0`);
    expect(arrow).toEqual({ found: 'x' });
  });

  test('an instant keeps its microseconds', async () => {
    await admin.query(
      `insert into scratch (id, at) values (1, '2026-03-01 12:00:00.123456+02'), (2, '2026-03-01')`,
    );
    const read = scopedReadOn(database.urls.console);
    const rows = await read(SCOPES, (reads) =>
      reads.select({ at: scratch.at }).from(scratch).orderBy(scratch.id),
    );
    expect(rows).toEqual([{ at: '2026-03-01T10:00:00.123456Z' }, { at: '2026-03-01T00:00:00.000000Z' }]);
  });
});

describe('clients', () => {
  test('are kept, so that a hot reload opens no second pool', () => {
    const { console: url } = database.urls;
    expect(consoleSql(url)).toBe(consoleSql(url));
    expect(scopedReadOn(url)).toBe(scopedReadOn(url));
    expect(consoleSql(url)).not.toBe(executorSql(url));
  });

  test('have no transaction to offer: a backend that dies inside one ends the process', () => {
    const sql = executorSql(database.urls.executor);
    expect(Object.keys(sql).toSorted()).toEqual(['end', 'json', 'unsafe']);
  });

  test('behind PgBouncer use no prepared statement, and the deadline of the role instead of one of the session', async () => {
    const sql = consoleSql(`${database.urls.console}?pgbouncer=true`);
    await sql`select ${1}::int`;
    const [state] = await sql`
      select (select count(*)::int from pg_prepared_statements) as prepared, current_setting('statement_timeout') as timeout`;
    expect(state).toEqual({ prepared: 0, timeout: '10s' });
  });
});

async function within<T>(ms: number, promise: PromiseLike<T>): Promise<T> {
  const start = performance.now();
  try {
    return await promise;
  } finally {
    expect(performance.now() - start).toBeLessThan(ms);
  }
}

async function blackHole(): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port, close };
}

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** Stands before Postgres and cuts each connection at the first thing said after its login, until it is mended. */
async function breaksAfterLogin(target: URL): Promise<{ url: string; mend: () => void; close: () => void }> {
  const state = { broken: true };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let ready = false;
    upstream.on('data', (data) => {
      ready ||= data.includes(READY_FOR_QUERY);
      client.write(data);
    });
    client.on('data', (data) => {
      if (ready && state.broken) client.destroy();
      else upstream.write(data);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => {}).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, mend: () => (state.broken = false), close: () => server.close() };
}
