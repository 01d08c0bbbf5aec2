import { expect, test } from 'vitest';
import { BODIES, errorCode, json, startBench } from './test-bench.ts';

const key = (value: string) => ({ 'idempotency-key': value });

test('the index lags: a committed row is absent by key and in the list, and there by its id', async () => {
  const bench = await startBench();
  await bench.control.setConfig({ payments: { index_lag_ms: 5_000 } });
  await bench.post('/payments', BODIES.payments, key('k1'));
  bench.advance(4_999);
  expect(json(await bench.get('/lookup/payments?key=k1'))).toEqual({
    status: 'absent',
    as_of: '2025-06-02T08:59:59.999Z',
  });
  expect(json(await bench.get('/payments'))).toEqual({ items: [], next: null });
  expect((await bench.get('/payments/pay_7731'))?.status).toBe(200);
  expect(json(await bench.get('/lookup/payments?reference=pay_7731'))['status']).toBe('found');
  bench.advance(1);
  expect(json(await bench.get('/lookup/payments?key=k1'))).toMatchObject({
    status: 'found',
    record: { id: 'pay_7731', amount: 1250, committed_at: '2025-06-02T09:00:00.000Z' },
  });
  expect(json(await bench.get('/payments'))).toMatchObject({ items: [{ id: 'pay_7731' }], next: null });
});

test('a lookup by key finds by header and by client reference, and names every row of the key', async () => {
  const bench = await startBench();
  await bench.post('/payments', { ...BODIES.payments, client_reference: 'op-1' }, key('k1'));
  await bench.post('/payments', BODIES.payments, key('k1'));
  expect(json(await bench.get('/lookup/payments?key=op-1'))).toMatchObject({ references: ['pay_7731'] });
  expect(json(await bench.get('/lookup/payments?key=k1'))).toMatchObject({
    record: { id: 'pay_7731' },
    references: ['pay_7731', 'pay_7732'],
  });
  expect(json(await bench.get('/lookup/tickets?key=k1'))['status']).toBe('absent');
});

test('messages cannot be looked up or listed, only read by id', async () => {
  const bench = await startBench();
  await bench.post('/messages', BODIES.messages, key('k1'));
  for (const path of ['/lookup/messages?key=k1', '/messages']) {
    const seen = await bench.get(path);
    expect(seen?.status).toBe(404);
    expect(errorCode(seen)).toBe('no_lookup');
  }
  expect((await bench.get('/messages/msg_5001'))?.status).toBe(200);
});

test('while reading is down every read is 503, and writing goes on', async () => {
  const bench = await startBench();
  await bench.control.setConfig({ tickets: { down: true } });
  expect((await bench.post('/tickets', BODIES.tickets, key('k1')))?.status).toBe(201);
  for (const path of ['/lookup/tickets?key=k1', '/tickets', '/tickets/ticket_1042']) {
    expect(await bench.get(path)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  }
});

test('the list goes by cursor from the oldest to the last and skips nothing', async () => {
  const bench = await startBench();
  for (let count = 0; count < 5; count += 1) await bench.post('/tickets', BODIES.tickets);
  const ids: unknown[] = [];
  let next: string | null = '';
  for (let pages = 0; next !== null && pages < 5; pages += 1) {
    const page = json(await bench.get(`/tickets?limit=2&after=${next}`));
    ids.push(...(page['items'] as { id: string }[]).map(({ id }) => id));
    next = page['next'] as string | null;
  }
  expect(ids).toEqual(['ticket_1042', 'ticket_1043', 'ticket_1044', 'ticket_1045', 'ticket_1046']);
});

test.each(['/tickets?limit=0', '/tickets?limit=x', '/tickets?after=pay_7731', '/lookup/tickets'])(
  '%s is refused with 422',
  async (path) => {
    const bench = await startBench();
    expect((await bench.get(path))?.status).toBe(422);
  },
);
