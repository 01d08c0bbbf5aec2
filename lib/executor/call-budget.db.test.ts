import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messagesSend, messagesSendContract } from '../demo/tools/messages-send.ts';
import { ticketsCreate, ticketsCreateContract } from '../demo/tools/tickets-create.ts';
import type { Clock, EffectCall, Tool } from './index.ts';
import {
  gate,
  keyOf,
  MESSAGE,
  newStep,
  newVersion,
  openBench,
  TICKET,
  until,
  type Bench,
} from './testing/bench.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const ticket = (call_budget_ms: number, fault?: string): Tool =>
  ticketsCreate(
    { url: bench.deskline.url, ...(fault !== undefined && { fault: () => fault }) },
    { version: newVersion(), downstream: { ...ticketsCreateContract.downstream, call_budget_ms } },
  );

/** A monotonic clock that a test moves. */
function movedClock() {
  let ahead = 0;
  const clock: Clock = {
    now: () => performance.now() + ahead,
    after: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
  };
  return { clock, advance: (ms: number) => (ahead += ms) };
}

describe('nothing is written to the wire after the call budget', () => {
  test('of a claim whose commit took longer: released, unsent', async () => {
    const { clock, advance } = movedClock();
    const tool = ticket(3_000);
    const slow = {
      ...bench.store,
      claim: async (...args: Parameters<typeof bench.store.claim>) => {
        const answer = await bench.store.claim(...args);
        advance(3_000);
        return answer;
      },
    };
    const executor = await bench.executor([tool], { clock, store: slow });
    const step = newStep();
    expect(await executor.execute('tickets.create', TICKET, step)).toMatchObject({
      status: 'rejected',
      reason: 'not_sent',
    });
    expect(await bench.effects(keyOf(step))).toEqual([]);
    expect(await bench.row(keyOf(step))).toMatchObject({ pending_reason: 'ready', doubt_attempt: null });
  });

  test('of an authorization that took longer: released, unsent', async () => {
    const { clock, advance } = movedClock();
    const executor = await bench.executor([ticket(3_000)], {
      clock,
      authorize: async ({ phase }) => {
        if (phase === 'effect') advance(3_001);
        return { allowed: true, policyVersion: '1' };
      },
    });
    const step = newStep();
    expect((await executor.execute('tickets.create', TICKET, step)).reason).toBe('not_sent');
    expect(await bench.effects(keyOf(step))).toEqual([]);
    expect(await bench.kinds(keyOf(step))).toEqual(['claim', 'release']);
  });

  test('of a claim that was answered only after its lease was lost: unsent, and the record as it is', async () => {
    const { clock, advance } = movedClock();
    const step = newStep();
    const slow = {
      ...bench.store,
      claim: async (...args: Parameters<typeof bench.store.claim>) => {
        const answer = await bench.store.claim(...args);
        await bench.pass(keyOf(step), 600);
        await bench.store.transition('expire', [
          { tenant_id: 'acme', environment: 'production', operation_key: keyOf(step), trace: {} },
        ]);
        advance(600_000);
        return answer;
      },
    };
    const executor = await bench.executor([ticket(3_000)], { clock, store: slow });
    expect(await executor.execute('tickets.create', TICKET, step)).toMatchObject({
      status: 'in_flight',
      reason: 'recovering',
    });
    expect(await bench.effects(keyOf(step))).toEqual([]);
  });

  test('the signal ends the request, the attempt is doubt, and the worker is free', async () => {
    const executor = await bench.executor([ticket(500, 'hang')]);
    const step = newStep();
    expect(await executor.execute('tickets.create', TICKET, step)).toMatchObject({
      status: 'in_flight',
      reason: 'recovering',
    });
    expect(await bench.row(keyOf(step))).toMatchObject({ reason: 'no_answer', doubt_attempt: 1 });
    const doubt = (await bench.events(keyOf(step))).find(({ kind }) => kind === 'doubt');
    expect(doubt).toMatchObject({ detail: { because: 'call budget is over' } });
  });
});

describe('a tool that ignores its signal', () => {
  const deaf = (tool: Tool, opened: Promise<void>): Tool => ({
    ...tool,
    effect: async (call: EffectCall<unknown>) => {
      const answer = await tool.effect({ ...call, signal: new AbortController().signal });
      await opened;
      return answer;
    },
  });

  test('does not hold the worker; what it still hears is evidence, and settles the doubt', async () => {
    const { open, opened } = gate();
    const executor = await bench.executor([deaf(ticket(700), opened)]);
    const step = newStep();
    expect(await executor.execute('tickets.create', TICKET, step)).toMatchObject({
      status: 'in_flight',
      reason: 'recovering',
    });
    const [reference] = await bench.effects(keyOf(step));
    // it may still be at work: only an attempt that came back has reported its end
    expect(await bench.row(keyOf(step))).toMatchObject({ attempt_ended_at: null });
    open();
    await until(async () => (await bench.row(keyOf(step)))['status'] === 'applied', 'the late receipt');
    expect(await bench.row(keyOf(step))).toMatchObject({
      effect_reference: reference,
      resolved_by: 'executor',
    });
    expect((await bench.kinds(keyOf(step))).slice(-2)).toEqual(['late_evidence', 'settle_found']);
    expect(await executor.execute('tickets.create', TICKET, step)).toMatchObject({
      status: 'replayed',
      effect_reference: reference,
    });
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  });

  test('is unknown without a lookup, until its receipt comes', async () => {
    const { open, opened } = gate();
    const tool = messagesSend(
      { url: bench.deskline.url },
      { version: newVersion(), downstream: { ...messagesSendContract.downstream, call_budget_ms: 700 } },
    );
    const executor = await bench.executor([deaf(tool, opened)]);
    const step = newStep();
    expect(await executor.execute('messages.send', MESSAGE, step)).toMatchObject({
      status: 'unknown',
      reason: 'no_answer',
    });
    open();
    await until(async () => (await bench.row(keyOf(step)))['status'] === 'applied', 'the late receipt');
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  });
});

test('an effect that throws at once is doubt, and its lease is not kept alive by anybody', async () => {
  const executor = await bench.executor([
    {
      ...ticket(3_000),
      effect: () => {
        throw new Error('a bug before the first await');
      },
    },
  ]);
  const step = newStep();
  expect((await executor.execute('tickets.create', TICKET, step)).status).toBe('in_flight');
  expect(await bench.row(keyOf(step))).toMatchObject({
    pending_reason: 'recovering',
    reason: 'no_answer',
    lease_token: null,
  });
});

test('an abort before the claim ends the call; after it the recording is finished', async () => {
  const executor = await bench.executor([ticket(3_000)]);
  const step = newStep();
  const aborted = executor.execute('tickets.create', TICKET, step, { signal: AbortSignal.abort() });
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  await expect(bench.row(keyOf(step))).rejects.toThrow('no operation');

  const stop = new AbortController();
  const stopping = await bench.executor([ticket(3_000)], {
    authorize: async ({ phase }) => {
      if (phase === 'effect') stop.abort();
      return { allowed: true, policyVersion: '1' };
    },
  });
  expect((await stopping.execute('tickets.create', TICKET, step, { signal: stop.signal })).status).toBe(
    'applied',
  );
});
