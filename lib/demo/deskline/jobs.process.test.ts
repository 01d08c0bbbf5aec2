import { expect, test } from 'vitest';
import { desklineControl } from './client.ts';
import { startDeskline } from './start-deskline.ts';
import { BODIES, exchangeWith, json, startBench, type Bench } from './test-bench.ts';

const order = (bench: Bench, key: string, fault = 'none') =>
  bench.post('/invoices', BODIES.invoices, { 'idempotency-key': key, 'x-deskline-fault': fault });

test('a delayed write answers 202 with its job, and the effect comes when the job is done', async () => {
  const bench = await startBench();
  const accepted = await order(bench, 'k1');
  expect(accepted?.status).toBe(202);
  expect(json(accepted)).toEqual({ job_id: 'job_801', status: 'running' });
  bench.advance(1_999);
  expect(json(await bench.get('/jobs/job_801'))).toMatchObject({ status: 'running', record: null });
  expect(json(await bench.get('/lookup/invoices?key=k1'))['status']).toBe('absent');
  expect(await bench.control.effectsFor('k1')).toEqual([]);
  bench.advance(1);
  expect(json(await bench.get('/jobs/job_801'))).toMatchObject({
    status: 'succeeded',
    ended_at: '2025-06-02T09:00:02.000Z',
    record: { id: 'invoice_301', idempotency_key: 'k1', committed_at: '2025-06-02T09:00:02.000Z' },
  });
  expect((await bench.control.effects()).invoices).toMatchObject({ records: 1, notifications: 1 });
});

test('the same key never makes a second job, neither while the first runs nor after it', async () => {
  const bench = await startBench();
  const seen = await Promise.all(Array.from({ length: 20 }, () => order(bench, 'k1')));
  expect(new Set(seen.map((one) => json(one)['job_id']))).toEqual(new Set(['job_801']));
  bench.advance(2_000);
  expect(json(await order(bench, 'k1'))).toMatchObject({ job_id: 'job_801' });
  expect(json(await bench.get('/jobs?key=k1'))['items']).toHaveLength(1);
  expect((await bench.control.effects()).invoices.records).toBe(1);
});

test('a job can take long, stand still or fail, and the control can end it', async () => {
  const bench = await startBench();
  await order(bench, 'slow', 'job_delay=60000');
  await order(bench, 'stuck', 'job_stands_still');
  await order(bench, 'failing', 'job_fails');
  bench.advance(59_999);
  const statusOf = async (key: string) =>
    (json(await bench.get(`/jobs?key=${key}`))['items'] as { status: string }[])[0]?.status;
  expect(await statusOf('slow')).toBe('running');
  expect(await statusOf('failing')).toBe('failed');
  bench.advance(86_400_000);
  expect(await statusOf('slow')).toBe('succeeded');
  expect(await statusOf('stuck')).toBe('running');
  expect(await bench.control.endJobs('stuck', 'succeeded')).toBe(1);
  expect(await statusOf('stuck')).toBe('succeeded');
  expect(await bench.control.endJobs('stuck', 'succeeded')).toBe(0);
  expect((await bench.control.effects()).invoices).toMatchObject({ records: 2, max_effects_per_key: 1 });
});

test('a job outlives the service that accepted it', async () => {
  const bench = await startBench();
  await order(bench, 'k1');
  await bench.deskline.close();
  const again = await startDeskline({
    port: 0,
    dir: bench.dir,
    now: () => Date.parse('2025-06-02T09:01:00Z'),
  });
  expect(json(await exchangeWith(again.url, 'GET', '/jobs/job_801'))).toMatchObject({ status: 'succeeded' });
  expect(await desklineControl(again.url).effectsFor('k1')).toHaveLength(2);
  await again.close();
});

test('any resource can be delayed by its settings', async () => {
  const bench = await startBench();
  await bench.control.setConfig({ tickets: { job_ms: 0 }, invoices: { job_ms: null } });
  expect((await bench.post('/tickets', BODIES.tickets))?.status).toBe(202);
  expect((await order(bench, 'k1'))?.status).toBe(201);
});

test('the list by key prefix shows the rows of one tenant alone', async () => {
  const bench = await startBench();
  for (const key of ['acme:prod:1', 'acme:prod:2', 'acme%:prod:1', 'globex:prod:1'])
    await bench.post('/tickets', BODIES.tickets, { 'idempotency-key': key });
  await bench.post('/tickets', { ...BODIES.tickets, client_reference: 'acme:prod:3' });
  await bench.post('/tickets', BODIES.tickets);
  const page = json(await bench.get('/tickets?key_prefix=acme%3Aprod%3A&limit=2'));
  expect((page['items'] as { idempotency_key: string }[]).map((row) => row.idempotency_key)).toEqual([
    'acme:prod:1',
    'acme:prod:2',
  ]);
  const rest = json(
    await bench.get(`/tickets?key_prefix=acme%3Aprod%3A&limit=2&after=${String(page['next'])}`),
  );
  expect(rest).toMatchObject({ items: [{ client_reference: 'acme:prod:3' }], next: null });
  expect(json(await bench.get('/tickets?key_prefix=nobody'))).toEqual({ items: [], next: null });
});
