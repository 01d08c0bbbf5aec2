import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { desklineControl } from './client.ts';
import { BODIES, exchangeWith, json, temporaryFolder } from './test-bench.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

interface Running {
  child: ChildProcess;
  url: string;
  stderr: () => string;
}

function launch(args: string[]): { child: ChildProcess; stderr: () => string } {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, stderr: () => text };
}

async function run(dir: string): Promise<Running> {
  const { child, stderr } = launch(['--port', '0', '--data', dir]);
  if (!child.stdout) throw new Error('no stdout');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const url = /^\[deskline\] ready (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
  if (!url) throw new Error(`not a ready line: ${line}`);
  return { child, url, stderr };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill(signal);
  const [code] = (await exited) as [number | null];
  return code;
}

const post = (url: string, path: string, body: unknown, headers: Record<string, string>) =>
  exchangeWith(url, 'POST', path, headers, JSON.stringify(body));

test('kill -9 loses no row, no counter and no remembered key of anything committed', async () => {
  const dir = await temporaryFolder();
  const first = await run(dir);
  const answered: unknown[] = [];
  for (let count = 0; count < 20; count += 1) {
    answered.push(
      json(await post(first.url, '/payments', BODIES.payments, { 'idempotency-key': `p${count}` })),
    );
  }
  const ticket = json(await post(first.url, '/tickets', BODIES.tickets, { 'idempotency-key': 't1' }));
  const lost = { 'idempotency-key': 't2', 'x-deskline-fault': 'commit_then_drop' };
  expect(await post(first.url, '/tickets', BODIES.tickets, lost)).toBeNull();
  await end(first.child, 'SIGKILL');

  const second = await run(dir);
  const control = desklineControl(second.url);
  const effects = await control.effects();
  expect(effects.payments).toEqual({ records: 20, notifications: 20, keys: 20, max_effects_per_key: 1 });
  expect(effects.tickets).toEqual({ records: 2, notifications: 2, keys: 2, max_effects_per_key: 1 });
  expect(json(await exchangeWith(second.url, 'GET', '/payments'))['items']).toEqual(answered);
  const again = await post(second.url, '/tickets', BODIES.tickets, { 'idempotency-key': 't1' });
  expect(json(again)).toEqual(ticket);
  expect(json(await exchangeWith(second.url, 'GET', '/lookup/tickets?key=t2'))['status']).toBe('found');
  expect((await control.effects()).tickets.records).toBe(2);
});

test('killed in the middle of a request it has committed all of the effect or nothing', async () => {
  const dir = await temporaryFolder();
  const first = await run(dir);
  const flood = Array.from({ length: 60 }, (_, count) =>
    post(first.url, '/tickets', BODIES.tickets, { 'idempotency-key': `k${count}` }),
  );
  await Promise.race(flood);
  await end(first.child, 'SIGKILL');
  const seen = (await Promise.all(flood)).filter((one) => one !== null);

  const second = await run(dir);
  const { tickets } = await desklineControl(second.url).effects();
  expect(tickets.records).toBeGreaterThanOrEqual(seen.length);
  expect(tickets.notifications).toBe(tickets.records);
  expect(tickets.keys).toBe(tickets.records);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it cleanly, also with requests that hang, and without a word on stderr',
  async (signal) => {
    const { child, url, stderr } = await run(await temporaryFolder());
    const hanging = post(url, '/payments', BODIES.payments, { 'x-deskline-fault': 'hang' });
    const delayed = post(url, '/payments', BODIES.payments, { 'x-deskline-fault': 'delay=60000' });
    await desklineControl(url).health();
    expect(await end(child, signal)).toBe(0);
    expect(await Promise.all([hanging, delayed])).toEqual([null, null]);
    expect(stderr()).toBe('');
  },
);

test('a wrong argument or a port in use ends the start with a sentence', async () => {
  const dir = await temporaryFolder();
  const { url } = await run(dir);
  const starts: [string[], string][] = [
    [['--port', 'x', '--data', dir], '--port must be a number'],
    [['--port', '0'], '--data must name a folder'],
    [['--port', new URL(url).port, '--data', await temporaryFolder()], 'EADDRINUSE'],
  ];
  for (const [args, sentence] of starts) {
    const { child, stderr } = launch(args);
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    expect(stderr()).toContain(sentence);
  }
});
