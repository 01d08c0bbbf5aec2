import { expect, test } from 'vitest';
import { BODIES, errorCode, json, startBench, until, type Bench } from './test-bench.ts';

const send = (bench: Bench, key: string, fault: string) =>
  bench.post('/tickets', BODIES.tickets, { 'idempotency-key': key, 'x-deskline-fault': fault });
const held = (bench: Bench) => until(async () => (await bench.control.held()).length > 0);

test('a request that is held before its commit has had no effect, and goes on when it is released', async () => {
  const bench = await startBench();
  const answer = send(bench, 'k1', 'hold_before_commit');
  await held(bench);
  expect(await bench.control.held()).toEqual([{ key: 'k1', at: 'before_commit' }]);
  expect(await bench.control.effectsFor('k1')).toEqual([]);
  expect(errorCode(await send(bench, 'k1', 'none'))).toBe('idempotency_key_in_progress');
  expect(await bench.control.release('k1', 'after_commit')).toBe(0);
  expect(await bench.control.release('k1', 'before_commit')).toBe(1);
  expect((await answer)?.status).toBe(201);
  expect(await bench.control.held()).toEqual([]);
  expect((await bench.control.effects()).tickets.records).toBe(1);
});

test('a request that is held after its commit has had its effect, and answers it when it is released', async () => {
  const bench = await startBench();
  const answer = send(bench, 'k1', 'hold_after_commit');
  await held(bench);
  expect(await bench.control.effectsFor('k1')).toHaveLength(2);
  // the key is free again: a repetition has the first answer at once
  expect((await send(bench, 'k1', 'none'))?.headers['idempotent-replayed']).toBe('true');
  await bench.control.release('k1', 'after_commit');
  expect(json(await answer)['id']).toBe('ticket_1042');
  expect((await bench.control.effects()).tickets.records).toBe(1);
});

test('the release of one key lets no other go', async () => {
  const bench = await startBench();
  const first = send(bench, 'k1', 'hold_before_commit');
  const second = send(bench, 'k2', 'hold_before_commit');
  await until(async () => (await bench.control.held()).length === 2);
  await bench.control.release('k1', 'before_commit');
  await first;
  expect(await bench.control.held()).toEqual([{ key: 'k2', at: 'before_commit' }]);
  await bench.control.release('k2', 'before_commit');
  await second;
});

test('stopping the service ends a held request without a commit', async () => {
  const bench = await startBench();
  const answer = send(bench, 'k1', 'hold_before_commit');
  await held(bench);
  await bench.deskline.close();
  expect(await answer).toBeNull();
});

test('rules that are added leave those of other keys in place', async () => {
  const bench = await startBench();
  await bench.control.addFaults([{ fault: 'refuse', key_prefix: 'k1', times: 1 }]);
  await bench.control.addFaults([{ fault: 'not_now', key_prefix: 'k2', times: 1 }]);
  const key = (name: string) => ({ 'idempotency-key': name });
  expect((await bench.post('/tickets', BODIES.tickets, key('k1')))?.status).toBe(422);
  expect((await bench.post('/tickets', BODIES.tickets, key('k2')))?.status).toBe(429);
  expect((await bench.post('/tickets', BODIES.tickets, key('k1')))?.status).toBe(201);
  expect((await bench.control.faults()).map(({ fired }) => fired)).toEqual([1, 1]);
  // requests are counted whatever became of them
  expect(await bench.control.received('k1')).toBe(2);
  expect(await bench.control.received('k3')).toBe(0);
});

test('somebody else changes a ticket: whoever closes the version that he saw is refused', async () => {
  const bench = await startBench();
  await bench.post('/tickets', BODIES.tickets);
  expect(json(await bench.get('/tickets/ticket_1042'))['version']).toBe(1);
  expect(await bench.control.revise('tickets', 'ticket_1042')).toMatchObject({ version: 2 });
  const close = (version: number) =>
    bench.post('/tickets/ticket_1042/close', {}, { 'if-match': `"${version}"`, 'idempotency-key': 'k1' });
  expect(errorCode(await close(1))).toBe('version_mismatch');
  expect(await bench.control.effectsFor('k1')).toEqual([]);
  expect((await close(2))?.status).toBe(200);
  await expect(bench.control.revise('tickets', 'ticket_9')).rejects.toThrow('not_found');
});
