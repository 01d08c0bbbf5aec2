import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTemporaryCluster } from '../../../db/testing/temporary-cluster.ts';
import { TEST_PASSWORDS } from '../../../db/testing/test-database.ts';
import { prepareDatabase } from '../../../db/prepare-database.ts';
import { standInIn, standInProject, survivors, type NpmStart } from './testing/npm-start.ts';

type Project = Awaited<ReturnType<typeof standInProject>>;
let project: Project;
const started: NpmStart[] = [];

async function start(env: Record<string, string> = {}): Promise<NpmStart> {
  const run = project.start(env);
  started.push(run);
  await run.says('Ctrl-C stops everything');
  return run;
}

/** Those that still run after everything had 15 s to end. */
async function remaining(pids: Record<string, number>): Promise<string[]> {
  const deadline = performance.now() + 15_000;
  while (survivors(pids).length > 0 && performance.now() < deadline) await sleep(50);
  return survivors(pids);
}

const open = async () => {
  project = await standInProject();
};
async function close(): Promise<void> {
  for (const { pid, ended } of started.splice(0)) {
    signalIfThere(-pid, 'SIGTERM');
    await ended;
  }
  for (const pid of Object.values(project.pids())) signalIfThere(pid, 'SIGKILL');
  project.remove();
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended
  }
}

describe('one npm start', () => {
  let run: NpmStart;
  beforeAll(async () => {
    await open();
    run = await start();
  });
  afterAll(close);

  test('says one ready line with the address and the personas, and keeps secrets to their owner', async () => {
    expect(run.output()).toContain(`\nReplay Desk ready on http://localhost:${project.ports.PORT}\n`);
    for (const name of ['Ines Okafor', 'Marek Brandt', 'Otto Lindqvist', 'Rita Nakamura']) {
      expect(run.output()).toContain(name);
    }
    expect(statSync(path.join(project.dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(Object.keys(project.pids()).toSorted()).toEqual(
      ['console', 'deskline', 'identity-provider', 'postgres', 'supervisor', 'worker', 'workload'].toSorted(),
    );
  });

  test('each child is given only what is meant for it', async () => {
    const given = (name: string) => Object.keys(standInIn(project.dataDir, name).env);
    expect(given('console')).not.toContain('DATABASE_OWNER_URL');
    expect(given('console')).toEqual(expect.arrayContaining(['DATABASE_CONSOLE_URL', 'NEXTAUTH_SECRET']));
    expect(given('workload')).toContain('DATABASE_EXECUTOR_URL');
    expect(given('workload')).not.toContain('NEXTAUTH_SECRET');
    expect(given('deskline').filter((name) => /DATABASE|SECRET/.test(name))).toEqual([]);
    expect(given('identity-provider').filter((name) => name.startsWith('DATABASE'))).toEqual([]);
  });

  test('a second start beside a running one is refused, naming address and process', async () => {
    const second = project.start();
    expect(await second.ended).toBe(1);
    const { supervisor } = project.pids();
    expect(second.output()).toContain(
      `Replay Desk is already running on http://localhost:${project.ports.PORT}, pid ${supervisor}.`,
    );
    expect(survivors(project.pids())).toContain('console');
  });

  test('a child that crashes is named and started again', async () => {
    const { workload = 0 } = project.pids();
    process.kill(workload, 'SIGKILL');
    await run.says('workload ended (SIGKILL); starting it again in 0.5 s');
    await vi.waitFor(() => expect(project.pids()['workload']).not.toBe(workload), { timeout: 5_000 });
  });

  test('a Postgres that crashes is named and started again, and keeps what was committed', async () => {
    await ask(project, 'create table kept as select 7 as answer');
    const { postgres = 0, ...others } = project.pids();
    const before = survivors(others);
    process.kill(postgres, 'SIGKILL');
    await run.says('Postgres ended (SIGKILL); starting it again');
    await run.says('Postgres runs again');
    expect(await ask(project, 'select answer from kept')).toEqual([7]);
    expect(survivors(others)).toEqual(before);
  });

  test('SIGTERM to npm ends everything and leaves no process and no lock', async () => {
    const pids = project.pids();
    process.kill(run.pid, 'SIGTERM');
    expect(await run.ended).toBe(143);
    expect(survivors(pids)).toEqual([]);
    expect(statSync(path.join(project.dataDir, 'lock'), { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe('npm start', () => {
  beforeEach(open);
  afterEach(close);

  test('Ctrl-C, which npm passes on a second time, ends everything in order', async () => {
    const run = await start();
    const pids = project.pids();
    process.kill(-run.pid, 'SIGINT');
    await run.ended;
    expect(survivors(pids)).toEqual([]);
    for (const name of ['console', 'workload', 'deskline', 'identity-provider']) {
      expect(readFileSync(path.join(project.dataDir, 'logs', `${name}.log`), 'utf8')).toContain(
        `${name} ends`,
      );
    }
    const postgres = readFileSync(path.join(project.dataDir, 'logs/postgres.log'), 'utf8');
    expect(postgres).toContain('database system is shut down');
  });

  test('a closed terminal ends everything', async () => {
    const run = await start();
    const pids = project.pids();
    run.closeTerminal();
    process.kill(-run.pid, 'SIGHUP');
    expect(await remaining(pids)).toEqual([]);
  });

  test('npm killed with -9 ends everything', async () => {
    const run = await start();
    const pids = project.pids();
    process.kill(run.pid, 'SIGKILL');
    expect(await remaining(pids)).toEqual([]);
  });

  test('after kill -9 of the supervisor its children end, and the next start continues with the same data', async () => {
    await start();
    const { supervisor = 0, postgres, ...children } = project.pids();
    await ask(project, 'create table kept as select 7 as answer');
    process.kill(supervisor, 'SIGKILL');
    expect(await remaining(children)).toEqual([]);

    const again = await start();
    expect(again.output()).toContain(`stopping Postgres ${postgres}, which an earlier run left behind`);
    expect(await ask(project, 'select answer from kept')).toEqual([7]);
  });

  test('a lock file whose process is gone, is somebody else, or that is empty does not stop a start', async () => {
    const run = await start();
    process.kill(run.pid, 'SIGTERM');
    await run.ended;
    const lock = path.join(project.dataDir, 'lock');
    for (const stale of [
      JSON.stringify({ pid: 2 ** 22 + 1, started: '1', url: 'http://localhost:1' }),
      JSON.stringify({ pid: process.pid, started: 'another time', url: 'http://localhost:1' }),
      '',
    ]) {
      writeFileSync(lock, stale);
      const next = await start();
      process.kill(next.pid, 'SIGTERM');
      await next.ended;
    }
    expect(statSync(lock, { throwIfNoEntry: false })).toBeUndefined();
  });

  test.each(['PORT', 'OIDC_PORT', 'DESKLINE_PORT', 'PG_PORT'] as const)(
    'a port in use is named with its setting before anything starts: %s',
    async (setting) => {
      const holder = createServer().listen(Number(project.ports[setting]), '127.0.0.1');
      await once(holder, 'listening');
      const run = project.start();
      expect(await run.ended).toBe(1);
      expect(run.output()).toMatch(
        new RegExp(`Port ${project.ports[setting]} is in use, .* Set ${setting} to a free port`),
      );
      expect(Object.keys(project.pids())).toEqual([]);
      holder.close();
    },
  );

  test('a child that cannot start ends the start, with its last words, and leaves no process', async () => {
    const run = project.start({ STAND_IN_FAILS: 'deskline' });
    expect(await run.ended).toBe(1);
    expect(run.output()).toMatch(/deskline did not start \(exit code 3\)\n\s+the stand-in was told to fail/);
    expect(survivors(project.pids())).toEqual([]);
  });

  test('Ctrl-C while it still starts leaves no process', async () => {
    const run = project.start();
    await run.says('making a new Postgres cluster');
    process.kill(-run.pid, 'SIGINT');
    await run.ended;
    expect(run.output()).not.toContain('ready on');
    expect(survivors(project.pids())).toEqual([]);
  });
});

describe('npm start in production', () => {
  beforeEach(open);
  afterEach(close);

  test('half of it configured is refused, naming what is missing', async () => {
    const run = project.start({ OIDC_ISSUER: 'https://id.example.test' });
    expect(await run.ended).toBe(1);
    expect(run.output()).toContain('OIDC_ISSUER is set, so this is not the demo; missing for production:');
    expect(run.output()).toContain('DATABASE_OWNER_URL');
  });

  test('migrates and serves the console without any part of the demo and without the owner URL', async () => {
    const { superuserUrl, stop } = await startTemporaryCluster();
    const urls = await prepareDatabase({ superuserUrl, passwords: TEST_PASSWORDS });
    const run = project.start({
      DATABASE_OWNER_URL: urls.owner,
      DATABASE_CONSOLE_URL: urls.console,
      DATABASE_EXECUTOR_URL: urls.executor,
      DATABASE_AUDITOR_URL: urls.auditor,
      OIDC_ISSUER: 'https://id.example.test',
      OIDC_CLIENT_ID: 'desk',
      OIDC_CLIENT_SECRET: 'a secret',
      NEXTAUTH_URL: 'https://desk.example.test',
      NEXTAUTH_SECRET: 'x'.repeat(32),
    });
    started.push(run);
    await run.says('Replay Desk ready on https://desk.example.test');
    expect(Object.keys(project.pids())).toEqual(['console']);
    expect(standInIn(project.dataDir, 'console').env).not.toHaveProperty('DATABASE_OWNER_URL');
    expect(run.output()).not.toContain('Ines Okafor');
    process.kill(run.pid, 'SIGTERM');
    await run.ended;
    expect(survivors(project.pids())).toEqual([]);
    await stop();
  });
});

/** Asks the demo's database as its superuser. */
async function ask({ dataDir, ports }: Project, statement: string): Promise<unknown[]> {
  const password = readFileSync(path.join(dataDir, 'postgres/superuser-password'), 'utf8');
  const client = new Client({
    connectionString: `postgres://postgres:${password}@127.0.0.1:${ports.PG_PORT}/replay_desk`,
  });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}
