import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort, PortInUse } from '../supervisor/port.ts';
import { isAlive, isGone } from '../supervisor/processes.ts';
import { startPostgres, type RunningPostgres } from './start.ts';

let dir: string;
let port: number;
let said: string[];
const running: RunningPostgres[] = [];

async function start(options: Partial<Parameters<typeof startPostgres>[0]> = {}): Promise<RunningPostgres> {
  const started = await startPostgres({
    dir,
    port,
    log: `${dir}.log`,
    announce: (m) => said.push(m),
    durable: false,
    ...options,
  });
  running.push(started);
  return started;
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: statement, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

beforeEach(async () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'replay-desk-start-'));
  chmodSync(parent, 0o755);
  dir = path.join(parent, 'postgres');
  port = await freePort();
  said = [];
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
  rmSync(path.dirname(dir), { recursive: true, force: true });
});

describe('startPostgres', () => {
  test('a second start continues with the same data, and a stop leaves no process', async () => {
    const first = await start();
    await ask(first.superuserUrl, `create table kept as select 'ä' as word`);
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);

    const second = await start();
    expect(await ask(second.superuserUrl, 'select word from kept')).toEqual(['ä']);
    expect(said.filter((line) => line.includes('new Postgres cluster'))).toHaveLength(1);
  });

  test('the cluster is UTF-8 with the builtin locale, TCP on loopback only, and asks for a password', async () => {
    const { superuserUrl } = await start();
    const facts = `select pg_encoding_to_char(encoding), datlocprovider::text, datlocale,
      current_setting('listen_addresses'), current_setting('unix_socket_directories'), current_setting('max_connections')
      from pg_database where datname = 'postgres'`;
    expect(await ask(superuserUrl, facts)).toEqual(['UTF8', 'b', 'C.UTF-8', '127.0.0.1', '', '200']);
    const guess = new URL(superuserUrl);
    guess.password = 'wrong';
    await expect(ask(guess.href, 'select 1')).rejects.toThrow(/password authentication failed/);
  });

  test('the superuser password is readable by its owner only', async () => {
    await start();
    expect(statSync(path.join(dir, 'superuser-password')).mode & 0o777).toBe(0o600);
  });

  test.runIf(process.getuid?.() === 0)(
    'as root below a closed folder it lives in /var/tmp, and removing the folder starts afresh',
    async () => {
      chmodSync(path.dirname(dir), 0o700);
      const first = await start();
      const refuge = readlinkSync(path.join(dir, 'elsewhere'));
      expect(refuge).toMatch(/^\/var\/tmp\/replay-desk-\w+\//);
      await ask(first.superuserUrl, 'create table kept as select 1 as one');
      await first.stop();
      const again = await start();
      expect(await ask(again.superuserUrl, 'select one from kept')).toEqual([1]);
      await again.stop();

      rmSync(dir, { recursive: true });
      const afresh = await start();
      expect(await ask(afresh.superuserUrl, `select to_regclass('kept')`)).toEqual([null]);
      expect(statSync(refuge, { throwIfNoEntry: false })).toBeUndefined();
      await afresh.stop();
      rmSync(readlinkSync(path.join(dir, 'elsewhere')), { recursive: true });
    },
  );

  test('a port in use is refused with a sentence that names PG_PORT', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    port = (holder.address() as AddressInfo).port;
    const attempt = start();
    await expect(attempt).rejects.toThrow(PortInUse);
    await expect(attempt).rejects.toThrow(`Port ${port} is in use, and Postgres needs it. Set PG_PORT`);
    holder.close();
  });

  test('a pid file left by a Postgres that is dead does not stop the next start', async () => {
    const first = await start();
    const pidFile = path.join(await dataFolder(first), 'postmaster.pid');
    const stale = readFileSync(pidFile);
    await first.stop();
    writeFileSync(pidFile, stale);
    await expect(start()).resolves.toHaveProperty('port', port);
  });

  test('a stranger that got the id of our dead Postgres is left alone', async () => {
    const first = await start();
    const data = await dataFolder(first);
    await first.stop();
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    onTestFinished(() => void stranger.kill('SIGKILL'));
    writeFileSync(path.join(data, 'postmaster.pid'), `${stranger.pid}\n${data}\n0\n${port}\n\n127.0.0.1\n`);
    await start();
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  test('the Postgres of a parent killed with -9 is stopped, named, and its data is there', async () => {
    const orphan = await startInAnotherProcess();
    await ask(orphan.superuserUrl, 'create table kept as select 42 as answer');
    orphan.killParent();
    await orphan.parentGone;
    expect(isAlive(orphan.pid)).toBe(true);

    const { superuserUrl } = await start();
    expect(said).toContain(`stopping Postgres ${orphan.pid}, which an earlier run left behind`);
    expect(isAlive(orphan.pid)).toBe(false);
    expect(await ask(superuserUrl, 'select answer from kept')).toEqual([42]);
  });

  test('a Postgres whose parent lives is not taken for an orphan', async () => {
    const other = await startInAnotherProcess();
    port = await freePort();
    await expect(start()).rejects.toThrow(`Postgres ${other.pid} already runs on`);
    expect(isAlive(other.pid)).toBe(true);
    other.killParent();
    await other.parentGone;
    process.kill(other.pid, 'SIGINT');
    expect(await isGone(other.pid, 10_000)).toBe(true);
  });

  test('a crash is reported once, a stop is not a crash, and the next start recovers', async () => {
    const onExit = vi.fn();
    const first = await start({ onExit });
    process.kill(first.pid, 'SIGKILL');
    await vi.waitFor(() => expect(onExit).toHaveBeenCalledWith({ code: null, signal: 'SIGKILL' }));
    const second = await start({ onExit });
    await second.stop();
    expect(onExit).toHaveBeenCalledTimes(1);
  });
});

async function dataFolder({ superuserUrl }: RunningPostgres): Promise<string> {
  return String((await ask(superuserUrl, 'show data_directory'))[0]);
}

/** Starts Postgres on `dir` and `port` from a process that can be killed. */
async function startInAnotherProcess() {
  const program = `import { startPostgres } from ${JSON.stringify(path.join(import.meta.dirname, 'start.ts'))};
    const { pid, superuserUrl } = await startPostgres(${JSON.stringify({ dir, port, log: `${dir}.log`, durable: false })});
    console.log(JSON.stringify({ pid, superuserUrl }));`;
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const started = JSON.parse(line.toString()) as { pid: number; superuserUrl: string };
  return { ...started, killParent: () => parent.kill('SIGKILL'), parentGone: once(parent, 'exit') };
}
