import { describe, expect, test } from 'vitest';
import { RESOURCES, type Resource } from './resources.ts';
import { BODIES, errorCode, json, startBench, until } from './test-bench.ts';

const key = (value: string) => ({ 'idempotency-key': value });

describe('an honoured key', () => {
  test('50 requests at once make one effect and all get its answer', async () => {
    const bench = await startBench();
    const seen = await Promise.all(
      Array.from({ length: 50 }, () => bench.post('/tickets', BODIES.tickets, key('k1'))),
    );
    expect(new Set(seen.map((one) => json(one)['id']))).toEqual(new Set(['ticket_1042']));
    expect(seen.filter((one) => one?.headers['idempotent-replayed'] === 'true')).toHaveLength(49);
    expect((await bench.control.effects()).tickets).toEqual({
      records: 1,
      notifications: 1,
      keys: 1,
      max_effects_per_key: 1,
    });
  });

  test('50 requests at once, each slow to commit: one wins, the others are told that it is in progress', async () => {
    const bench = await startBench();
    const slow = { ...key('k1'), 'x-deskline-fault': 'delay=500' };
    const first = bench.post('/tickets', BODIES.tickets, slow);
    await until(async () => (await bench.post('/tickets', BODIES.tickets, key('k1')))?.status === 409);
    const others = await Promise.all(
      Array.from({ length: 49 }, () => bench.post('/tickets', BODIES.tickets, slow)),
    );
    for (const other of others) {
      expect(other).toMatchObject({ status: 409, headers: { 'retry-after': '1' } });
      expect(errorCode(other)).toBe('idempotency_key_in_progress');
    }
    expect((await first)?.status).toBe(201);
    expect((await bench.control.effects()).tickets.max_effects_per_key).toBe(1);
  });

  test('with another body is refused, before and after the first commits', async () => {
    const bench = await startBench();
    const other = { ...BODIES.tickets, subject: 'Something else' };
    const slow = bench.post('/tickets', BODIES.tickets, { ...key('k1'), 'x-deskline-fault': 'delay=200' });
    await until(async () => {
      const seen = await bench.post('/tickets', other, { ...key('k1'), 'x-deskline-fault': 'refuse' });
      return seen?.status === 409 && errorCode(seen) === 'idempotency_key_reused';
    });
    await slow;
    const late = await bench.post('/tickets', other, key('k1'));
    expect(late?.status).toBe(409);
    expect(errorCode(late)).toBe('idempotency_key_reused');
    expect((await bench.control.effects()).tickets.records).toBe(1);
  });

  test('is not taken by an order of properties, nor by a request that had no effect', async () => {
    const bench = await startBench();
    const refused = { ...key('k1'), 'x-deskline-fault': 'error_before_commit' };
    expect((await bench.post('/refunds', BODIES.refunds, refused))?.status).toBe(500);
    expect((await bench.post('/refunds', BODIES.refunds, key('k1')))?.status).toBe(201);
    const turned = Object.fromEntries(Object.entries(BODIES.refunds).toReversed());
    expect((await bench.post('/refunds', turned, key('k1')))?.headers['idempotent-replayed']).toBe('true');
    expect((await bench.control.effects()).refunds.records).toBe(1);
  });

  test('survives a lost answer: the repeat gets the first record', async () => {
    const bench = await startBench();
    const lost = { ...key('k1'), 'x-deskline-fault': 'commit_then_drop' };
    expect(await bench.post('/tickets', BODIES.tickets, lost)).toBeNull();
    expect(json(await bench.post('/tickets', BODIES.tickets, key('k1')))['id']).toBe('ticket_1042');
    expect((await bench.control.effects()).tickets.max_effects_per_key).toBe(1);
  });

  test('delivered twice by a proxy makes one effect', async () => {
    const bench = await startBench();
    const twice = { ...key('k1'), 'x-deskline-fault': 'deliver_twice' };
    const seen = await bench.post('/tickets', BODIES.tickets, twice);
    expect(seen).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' } });
    expect((await bench.control.effects()).tickets.max_effects_per_key).toBe(1);
  });

  test('is forgotten when the key window is over, and the second effect shows', async () => {
    const bench = await startBench();
    await bench.control.setConfig({ tickets: { key_window_ms: 1_000 } });
    await bench.post('/tickets', BODIES.tickets, key('k1'));
    bench.advance(999);
    await bench.post('/tickets', BODIES.tickets, key('k1'));
    expect((await bench.control.effects()).tickets.max_effects_per_key).toBe(1);
    bench.advance(1);
    await bench.post('/tickets', BODIES.tickets, key('k1'));
    expect((await bench.control.effects()).tickets.max_effects_per_key).toBe(2);
  });
});

describe('a key that is not honoured', () => {
  test('50 requests at once make 50 effects, counted under that key', async () => {
    const bench = await startBench();
    await Promise.all(Array.from({ length: 50 }, () => bench.post('/payments', BODIES.payments, key('k1'))));
    expect((await bench.control.effects()).payments).toEqual({
      records: 50,
      notifications: 50,
      keys: 1,
      max_effects_per_key: 50,
    });
    expect((await bench.control.effectsFor('k1')).filter(({ kind }) => kind === 'record')).toHaveLength(50);
  });

  test('becomes honoured by configuration', async () => {
    const bench = await startBench();
    await bench.control.setConfig({ payments: { honours_key: true } });
    await bench.post('/payments', BODIES.payments, key('k1'));
    await bench.post('/payments', BODIES.payments, key('k1'));
    expect((await bench.control.effects()).payments.max_effects_per_key).toBe(1);
  });

  test('a client reference counts where there is no Idempotency-Key', async () => {
    const bench = await startBench();
    const body = { ...BODIES.messages, client_reference: 'op-5' };
    await bench.post('/messages', body);
    await bench.post('/messages', body);
    expect((await bench.control.effects()).messages).toEqual({
      records: 2,
      notifications: 0,
      keys: 1,
      max_effects_per_key: 2,
    });
  });
});

describe('a request', () => {
  test.each(RESOURCES.map((resource) => [resource]))(
    'for %s becomes a record that names who asked, with references in sequence',
    async (resource: Resource) => {
      const bench = await startBench();
      const headers = { ...key('k1'), 'x-request-id': 'req-1' };
      await bench.control.setConfig({ [resource]: { job_ms: null } });
      const first = json(await bench.post(`/${resource}`, BODIES[resource], headers));
      const second = json(await bench.post(`/${resource}`, BODIES[resource]));
      expect(first).toMatchObject({
        ...BODIES[resource],
        idempotency_key: 'k1',
        request_id: 'req-1',
        committed_at: '2025-06-02T09:00:00.000Z',
      });
      const number = (record: Record<string, unknown>) => Number(String(record['id']).split('_')[1]);
      expect(number(second)).toBe(number(first) + 1);
    },
  );

  test.each([
    ['tickets', { ...BODIES.tickets, subject: '' }],
    ['tickets', { ...BODIES.tickets, surprise: 1 }],
    ['payments', { ...BODIES.payments, amount: 0 }],
    ['payments', { ...BODIES.payments, amount: '0.00' }],
    ['payments', { ...BODIES.payments, currency: 'euro' }],
    ['refunds', { ...BODIES.refunds, amount: '1.234' }],
    ['messages', { ...BODIES.messages, client_reference: 'a\u0000b' }],
    ['messages', []],
  ])('for %s that is not valid gets 422 and has no effect', async (resource, body) => {
    const bench = await startBench();
    const seen = await bench.post(`/${resource}`, body, key('k1'));
    expect(seen?.status).toBe(422);
    expect(errorCode(seen)).toBe('invalid_request');
    expect(await bench.control.effectsFor('k1')).toEqual([]);
  });

  test('with U+0000, half a surrogate pair or their escapes keeps its text', async () => {
    const bench = await startBench();
    const text = 'nul \u0000 half \ud800 words \\u0000';
    const sent = json(await bench.post('/messages', { ...BODIES.messages, text }));
    expect(sent['text']).toBe(text);
    expect(json(await bench.get(`/messages/${String(sent['id'])}`))['text']).toBe(text);
  });
});

describe('closing a ticket', () => {
  test('is absolute: the second close answers the closed ticket and has no effect', async () => {
    const bench = await startBench();
    await bench.post('/tickets', BODIES.tickets, key('k1'));
    const first = json(await bench.post('/tickets/ticket_1042/close', {}, key('c1')));
    const second = json(await bench.post('/tickets/ticket_1042/close', {}, key('c2')));
    expect(first).toMatchObject({ id: 'ticket_1042', status: 'closed', version: 2 });
    expect(second).toEqual(first);
    expect((await bench.control.effects()).ticket_closures).toEqual({
      records: 1,
      notifications: 1,
      keys: 1,
      max_effects_per_key: 1,
    });
  });

  test.each([
    ['If-Match', {}, { 'if-match': '"2"' }],
    ['expected_version', { expected_version: 2 }, {}],
  ])('with a stale %s is refused without an effect', async (_, body, headers) => {
    const bench = await startBench();
    await bench.post('/tickets', BODIES.tickets);
    const seen = await bench.post('/tickets/ticket_1042/close', body, headers);
    expect(seen?.status).toBe(412);
    expect(errorCode(seen)).toBe('version_mismatch');
    expect((await bench.control.effects()).ticket_closures.records).toBe(0);
  });

  test('repeated with its key after a lost answer gets the first answer, not a version mismatch', async () => {
    const bench = await startBench();
    await bench.post('/tickets', BODIES.tickets);
    const close = (headers: Record<string, string>) =>
      bench.post('/tickets/ticket_1042/close', { expected_version: 1 }, { ...key('c1'), ...headers });
    expect(await close({ 'x-deskline-fault': 'commit_then_drop' })).toBeNull();
    expect(await close({})).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } });
  });

  test('that does not exist is 404, and the key stays free for when it does', async () => {
    const bench = await startBench();
    const close = () => bench.post('/tickets/ticket_1042/close', {}, key('c1'));
    expect((await close())?.status).toBe(404);
    await bench.post('/tickets', BODIES.tickets);
    expect((await close())?.status).toBe(200);
  });
});
