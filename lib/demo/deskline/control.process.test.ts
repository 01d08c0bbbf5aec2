import { expect, test } from 'vitest';
import { BODIES, startBench } from './test-bench.ts';

test('the effects of one key name their references and kinds', async () => {
  const bench = await startBench();
  await bench.post('/refunds', BODIES.refunds, { 'idempotency-key': 'acme:production:w%3A1:refund' });
  expect(await bench.control.effectsFor('acme:production:w%3A1:refund')).toEqual([
    { resource: 'refunds', reference: 'refund_2201', kind: 'record', at: '2025-06-02T09:00:00.000Z' },
    { resource: 'refunds', reference: 'refund_2201', kind: 'notification', at: '2025-06-02T09:00:00.000Z' },
  ]);
  expect(await bench.control.effectsFor('other')).toEqual([]);
});

test('a setting that is not valid changes nothing', async () => {
  const bench = await startBench();
  const before = await bench.control.config();
  const patch = { tickets: { down: true }, payments: { index_lag_ms: -1 } };
  await expect(bench.control.setConfig(patch)).rejects.toThrow('payments.index_lag_ms');
  expect(await bench.control.config()).toEqual(before);
});

test('reset empties rows, keys and counters, only where it was allowed at the start', async () => {
  const bench = await startBench({ allowReset: true });
  const headers = { 'idempotency-key': 'k1' };
  await bench.post('/tickets', BODIES.tickets, headers);
  await bench.control.reset();
  expect((await bench.control.effects()).tickets.records).toBe(0);
  await bench.post('/tickets', BODIES.tickets, headers);
  expect((await bench.control.effects()).tickets.records).toBe(1);

  const guarded = await startBench();
  await guarded.post('/tickets', BODIES.tickets, headers);
  await expect(guarded.control.reset()).rejects.toThrow('reset_not_allowed');
  expect((await guarded.control.effects()).tickets.records).toBe(1);
});
