import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { Clock, ContractInput, Tool } from './index.ts';
import { keyOf, newStep, newVersion, openBench, TICKET, until, type Bench } from './testing/bench.ts';

let bench: Bench;
/** The faults of the sends to come, in order; then none. */
let faults: (string | undefined)[];
let sends: number[];
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());
beforeEach(() => {
  faults = [];
  sends = [];
});

const ticket = (attempts: Partial<ContractInput['attempts']> = {}, change: Partial<ContractInput> = {}) =>
  ticketsCreate(
    {
      url: bench.deskline.url,
      fault: () => {
        sends.push(performance.now());
        return faults.shift();
      },
    },
    {
      version: newVersion(),
      attempts: { max: 5, backoff_seconds: 1, retry_within_seconds: 20, ...attempts },
      ...change,
    },
  );

async function delivered(tool: Tool, options: { signal?: AbortSignal; clock?: Clock } = {}) {
  const { signal, clock } = options;
  const executor = await bench.executor([tool], { ...(clock && { clock }) });
  const step = newStep();
  const outcome = await executor.execute('tickets.create', TICKET, step, { ...(signal && { signal }) });
  return { outcome, key: keyOf(step) };
}

describe('within retry_within_seconds', () => {
  test('what provably did not happen is tried again by the same call, each try an attempt of the record', async () => {
    faults = ['not_now=1', 'not_now=1'];
    const { outcome, key } = await delivered(ticket());
    expect(outcome).toMatchObject({ status: 'applied', attempt: 3, repeated: false });
    expect(await bench.effects(key)).toEqual([outcome.effect_reference]);
    expect(await bench.kinds(key)).toEqual(['claim', 'release', 'acquire', 'release', 'acquire', 'apply']);
  });

  test('the provider’s own wait is kept', async () => {
    faults = ['not_now=2'];
    const { outcome, key } = await delivered(ticket());
    expect(outcome).toMatchObject({ status: 'applied', attempt: 2 });
    expect((sends[1] ?? 0) - (sends[0] ?? 0)).toBeGreaterThanOrEqual(2_000);
    expect(await bench.effects(key)).toHaveLength(1);
  });

  test('a wait that would end later is not begun: the caller is told when to come again', async () => {
    faults = ['not_now=30'];
    const started = performance.now();
    const { outcome, key } = await delivered(ticket());
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: 'not_sent',
      safe_to_repeat: true,
      attempt: 1,
    });
    expect(outcome.retry_after_seconds).toBeGreaterThan(25);
    expect(sends).toHaveLength(1);
    expect(await bench.effects(key)).toEqual([]);
  });

  test('the attempts of the contract are the end, however much time is left', async () => {
    faults = Array.from({ length: 9 }, () => 'not_now=1');
    const { outcome, key } = await delivered(ticket({ max: 2 }));
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'not_sent', attempt: 2 });
    expect(sends).toHaveLength(2);
    expect(await bench.effects(key)).toEqual([]);
  });

  test.each([
    ['commit_then_drop', 1],
    ['drop_before_commit', 0],
    ['gateway_timeout_after_commit', 1],
    ['error_before_commit', 0],
  ])('a doubt (%s) is never tried again by it', async (fault, effects) => {
    faults = [fault];
    const { outcome, key } = await delivered(ticket());
    expect(outcome).toMatchObject({ status: 'in_flight', reason: 'recovering', safe_to_repeat: false });
    expect(sends).toHaveLength(1);
    expect(await bench.effects(key)).toHaveLength(effects);
  });

  test('a doubt at a later try ends it too', async () => {
    faults = ['not_now=1', 'commit_then_drop'];
    const { outcome, key } = await delivered(ticket());
    expect(outcome).toMatchObject({ status: 'in_flight', reason: 'recovering', attempt: 2 });
    expect(sends).toHaveLength(2);
    expect(await bench.effects(key)).toHaveLength(1);
  });

  test('a definitive refusal is not tried again', async () => {
    faults = ['refuse'];
    const { outcome, key } = await delivered(ticket());
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'refused', attempt: 1 });
    expect(sends).toHaveLength(1);
    expect(await bench.effects(key)).toEqual([]);
  });

  test('an abort ends the waiting at once; nothing more is sent, and a later call goes on', async () => {
    faults = ['not_now=10'];
    const abort = new AbortController();
    const step = newStep();
    const executor = await bench.executor([ticket()]);
    const running = executor.execute('tickets.create', TICKET, step, { signal: abort.signal });
    await until(async () => (await bench.kinds(keyOf(step))).includes('release'));
    const aborted = performance.now();
    abort.abort();
    expect(await running).toMatchObject({ status: 'rejected', reason: 'not_sent', safe_to_repeat: true });
    expect(performance.now() - aborted).toBeLessThan(5_000);
    expect(sends).toHaveLength(1);
    await bench.pass(keyOf(step), 11);
    expect(await executor.execute('tickets.create', TICKET, step)).toMatchObject({
      status: 'applied',
      attempt: 2,
    });
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  });
});

test('without it one call is one attempt', async () => {
  faults = ['not_now=1'];
  const { outcome, key } = await delivered(ticket({}, { attempts: { max: 5, backoff_seconds: 1 } }));
  expect(outcome).toMatchObject({ status: 'rejected', reason: 'not_sent', attempt: 1 });
  expect(sends).toHaveLength(1);
  expect(await bench.effects(key)).toEqual([]);
});
