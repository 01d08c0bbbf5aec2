import { expect, test } from 'vitest';
import { desklineControl } from './client.ts';
import { startDeskline } from './start-deskline.ts';
import { BODIES, json, startBench, temporaryFolder, type Bench } from './test-bench.ts';

const ticket = async (bench: Bench, key: string, headers: Record<string, string> = {}) =>
  (await bench.post('/tickets', BODIES.tickets, { 'idempotency-key': key, ...headers }))?.status ?? null;

test('a rule meets its resource and key prefix, as many times as it says', async () => {
  const bench = await startBench();
  await bench.control.setFaults([
    { resource: 'tickets', fault: 'error_before_commit', times: 2, key_prefix: 'acme:' },
  ]);
  expect(await ticket(bench, 'globex:1')).toBe(201);
  expect((await bench.post('/payments', BODIES.payments, { 'idempotency-key': 'acme:1' }))?.status).toBe(201);
  expect(await ticket(bench, 'acme:1')).toBe(500);
  expect(await ticket(bench, 'acme:1')).toBe(500);
  expect(await ticket(bench, 'acme:1')).toBe(201);
  expect(await bench.control.faults()).toMatchObject([{ fired: 2 }]);
});

test('the first rule that fires wins, and a header overrules all rules', async () => {
  const bench = await startBench();
  await bench.control.setFaults([
    { fault: 'refuse', times: 1 },
    { fault: 'not_now' },
    { fault: 'wrong_receipt', on: 'lookup' },
  ]);
  expect(await ticket(bench, 'k1')).toBe(422);
  expect(await ticket(bench, 'k1')).toBe(429);
  expect(await ticket(bench, 'k1', { 'x-deskline-fault': 'none' })).toBe(201);
  const lookup = json(await bench.get('/lookup/tickets?key=k1'));
  expect(lookup).toMatchObject({
    record: { subject: expect.stringContaining('not what was asked') as string },
  });
  await bench.control.clearFaults();
  expect(await ticket(bench, 'k2')).toBe(201);
});

test('the same seed draws the same faults for the same keys in any order; another seed draws others', async () => {
  const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`);
  const drawn = async (order: string[], seed: number) => {
    const bench = await startBench();
    await bench.control.setFaults([{ fault: 'refuse', probability: 0.5, seed }]);
    const statuses = new Map<string, (number | null)[]>();
    for (const key of order) statuses.set(key, [await ticket(bench, key), await ticket(bench, key)]);
    return keys.map((key) => statuses.get(key));
  };
  const first = await drawn(keys, 7);
  expect(await drawn(keys.toReversed(), 7)).toEqual(first);
  expect(await drawn(keys, 8)).not.toEqual(first);
  expect(new Set(first.flat())).toEqual(new Set([201, 422]));
});

test('rules that are not valid are refused as a whole', async () => {
  const bench = await startBench();
  await bench.control.setFaults([{ fault: 'refuse' }]);
  await expect(bench.control.setFaults([{ fault: 'not_now' }, { fault: 'explode' }])).rejects.toThrow(
    '"explode" is not a fault',
  );
  expect(await bench.control.faults()).toMatchObject([{ fault: 'refuse' }]);
});

test('settings and rules, with what they have fired, survive a restart', async () => {
  const dir = await temporaryFolder();
  const before = await startDeskline({ port: 0, dir });
  await desklineControl(before.url).setConfig({ refunds: { index_lag_ms: 1_500, down: true } });
  await desklineControl(before.url).setFaults([{ fault: 'refuse', times: 1 }]);
  await fetch(`${before.url}/tickets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(BODIES.tickets),
  });
  await before.close();
  const after = await startDeskline({ port: 0, dir });
  const control = desklineControl(after.url);
  const config = await control.config();
  const faults = await control.faults();
  await after.close();
  expect(config.refunds).toMatchObject({ honours_key: true, index_lag_ms: 1_500, down: true });
  expect(faults).toMatchObject([{ fault: 'refuse', times: 1, fired: 1 }]);
});
