import { describe, expect, test } from 'vitest';
import { desklineControl } from './client.ts';
import { FAULT_NAMES, parseFaults, type FaultName } from './faults.ts';
import { startDeskline } from './start-deskline.ts';
import {
  BODIES,
  errorCode,
  exchangeWith,
  json,
  startBench,
  until,
  type Bench,
  type Seen,
} from './test-bench.ts';

interface Expectation {
  /** Records, and notifications with them, that the one request leaves behind. */
  effects: 0 | 1 | 2;
  check: (seen: Seen) => void;
}

const broken = (seen: Seen) => expect(seen).toBeNull();
const fails = (status: number, code: string) => (seen: Seen) => {
  expect(seen?.status).toBe(status);
  expect(errorCode(seen)).toBe(code);
};
const honest = (seen: Seen) => {
  expect(seen?.status).toBe(201);
  expect(json(seen)).toMatchObject({ status: 'succeeded', amount: 1250 });
};

/** These have tests of their own: what holds a request, and what happens to a job. */
type Elsewhere = 'hang' | `hold_${string}` | `job_${string}`;

/** The same request with each fault, on payments, whose key is not honoured. */
const EXPECTED: Record<Exclude<FaultName, Elsewhere>, Expectation> = {
  drop_before_commit: { effects: 0, check: broken },
  error_before_commit: { effects: 0, check: fails(500, 'internal_error') },
  refuse: { effects: 0, check: fails(422, 'refused') },
  not_now: {
    effects: 0,
    check: (seen) => {
      fails(429, 'not_now')(seen);
      expect(seen?.headers['retry-after']).toBe('1');
    },
  },
  delay: { effects: 1, check: honest },
  delay_after_commit: { effects: 1, check: honest },
  deliver_twice: {
    effects: 2,
    check: (seen) => {
      honest(seen);
      expect(json(seen)['id']).toBe('pay_7732');
    },
  },
  commit_then_drop: { effects: 1, check: broken },
  error_after_commit: { effects: 1, check: fails(500, 'internal_error') },
  gateway_timeout_after_commit: { effects: 1, check: fails(504, 'gateway_timeout') },
  malformed_body: {
    effects: 1,
    check: (seen) => {
      expect(seen).toMatchObject({ status: 201, headers: { 'content-type': 'application/json' } });
      expect(() => json(seen)).toThrow(SyntaxError);
    },
  },
  truncated_body: { effects: 1, check: broken },
  wrong_content_type: {
    effects: 1,
    check: (seen) => expect(seen).toMatchObject({ status: 201, headers: { 'content-type': 'text/html' } }),
  },
  incomplete_body: {
    effects: 1,
    check: (seen) => {
      honest({ ...seen, text: seen?.text ?? '' } as Seen);
      expect(json(seen)).not.toHaveProperty('id');
    },
  },
  wrong_receipt: {
    effects: 1,
    check: (seen) => expect(json(seen)).toMatchObject({ id: 'pay_7731', amount: 1251 }),
  },
  nul_text: {
    effects: 1,
    check: (seen) => {
      expect(json(seen)).toMatchObject({ id: 'pay_7731', amount: 1250 });
      expect(seen?.text).toContain('\\u0000');
      expect(seen?.text).toContain('\\ud800');
    },
  },
};

const headerText = (name: FaultName) => (name.startsWith('delay') ? `${name}=20` : name);
const pay = (bench: Bench, fault: string) =>
  bench.post('/payments', BODIES.payments, { 'idempotency-key': 'k1', 'x-deskline-fault': fault });

describe('a fault changes the answer, and the counters tell what happened all the same', () => {
  test.each(Object.entries(EXPECTED))('%s', async (name, { effects, check }) => {
    const bench = await startBench();
    check(await pay(bench, headerText(name as FaultName)));
    expect((await bench.control.effects()).payments).toEqual({
      records: effects,
      notifications: effects,
      keys: Math.min(effects, 1),
      max_effects_per_key: effects,
    });
  });

  test('hang commits and answers nothing until the client goes', async () => {
    const bench = await startBench();
    const patience = new AbortController();
    const headers = { 'idempotency-key': 'k1', 'x-deskline-fault': 'hang' };
    const body = JSON.stringify(BODIES.payments);
    const seen = exchangeWith(bench.deskline.url, 'POST', '/payments', headers, body, patience.signal);
    await until(async () => (await bench.control.effectsFor('k1')).length === 2);
    patience.abort();
    expect(await seen).toBeNull();
    expect((await bench.control.effects()).payments.records).toBe(1);
  });

  test('every fault has its expectation', () => {
    const elsewhere = FAULT_NAMES.filter((name) => /^(hang$|hold_|job_)/.test(name));
    expect([...Object.keys(EXPECTED), ...elsewhere].toSorted()).toEqual(FAULT_NAMES.toSorted());
  });

  test('a delayed request commits although its client has gone', async () => {
    const bench = await startBench();
    const patience = new AbortController();
    const headers = { 'idempotency-key': 'k1', 'x-deskline-fault': 'delay=150' };
    const body = JSON.stringify(BODIES.tickets);
    const seen = exchangeWith(bench.deskline.url, 'POST', '/tickets', headers, body, patience.signal);
    const probe = () => bench.post('/tickets', BODIES.tickets, { 'idempotency-key': 'k1' });
    await until(async () => (await probe())?.status === 409);
    patience.abort();
    expect(await seen).toBeNull();
    await until(async () => (await bench.control.effectsFor('k1')).length > 0);
    expect((await bench.control.effects()).tickets.max_effects_per_key).toBe(1);
  });

  test('faults combine in their order', async () => {
    const bench = await startBench();
    expect(await pay(bench, 'deliver_twice, delay=5, commit_then_drop')).toBeNull();
    expect((await bench.control.effects()).payments.records).toBe(2);
  });

  test('a lookup can be given a false receipt or no whole answer', async () => {
    const bench = await startBench();
    await pay(bench, 'none');
    const lookUp = (fault: string) => bench.get('/lookup/payments?key=k1', { 'x-deskline-fault': fault });
    expect(json(await lookUp('wrong_receipt'))).toMatchObject({ status: 'found', record: { amount: 1251 } });
    expect(await lookUp('truncated_body')).toBeNull();
  });

  test('stopping the service ends a delayed request, and its effect never comes', async () => {
    const bench = await startBench();
    const ask = (fault: string) =>
      bench.post('/tickets', BODIES.tickets, { 'idempotency-key': 'k1', 'x-deskline-fault': fault });
    const seen = ask('delay=60000');
    await until(async () => (await ask('refuse'))?.status === 409);
    await bench.deskline.close();
    expect(await seen).toBeNull();
    const again = await startDeskline({ port: 0, dir: bench.dir });
    const effects = await desklineControl(again.url).effectsFor('k1');
    await again.close();
    expect(effects).toEqual([]);
  });
});

test('a misspelt fault is refused and has no effect', async () => {
  const bench = await startBench();
  for (const text of ['comit_then_drop', 'delay', 'refuse=3', 'delay=-1', '', 'none,refuse']) {
    expect(typeof parseFaults(text)).toBe('string');
  }
  fails(400, 'unknown_fault')(await pay(bench, 'comit_then_drop'));
  expect((await bench.control.effects()).payments.records).toBe(0);
});
