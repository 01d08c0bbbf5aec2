import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { ticketsCreate, ticketsCreateContract } from '../demo/tools/tickets-create.ts';
import { callHttp, type EffectAnswer, type Executor } from './index.ts';
import { keyOf, MESSAGE, newStep, newVersion, openBench, TICKET, type Bench } from './testing/bench.ts';
import { sampleTool } from './testing/sample-tool.ts';

let bench: Bench;
let fault: string | undefined;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const wire = () => ({ url: bench.deskline.url, fault: () => fault });

describe('[B33] which status says what is stated by the tool', () => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await bench.executor([messagesSend(wire(), { version: newVersion() })]);
  });

  test.each(['error_after_commit', 'gateway_timeout_after_commit'])(
    '%s hides a committed change: unknown',
    async (given) => {
      fault = given;
      const step = newStep();
      expect(await executor.execute('messages.send', MESSAGE, step)).toMatchObject({
        status: 'unknown',
        safe_to_repeat: false,
        next_action: 'reconcile',
      });
      fault = undefined;
      expect(await executor.execute('messages.send', MESSAGE, step)).toMatchObject({ status: 'unknown' });
      expect(await bench.effects(keyOf(step))).toHaveLength(1);
    },
  );

  test('a definite 422 is failed_permanent, and is replayed as that', async () => {
    fault = 'refuse';
    const step = newStep();
    const message = { ...MESSAGE, to: 'cus_422' };
    expect(await executor.execute('messages.send', message, step)).toMatchObject({
      status: 'rejected',
      reason: 'refused',
      repeated: false,
    });
    fault = undefined; // it would go through now
    expect(await executor.execute('messages.send', message, step)).toMatchObject({
      status: 'rejected',
      reason: 'refused',
      repeated: true,
    });
    expect(await bench.row(keyOf(step))).toMatchObject({ status: 'failed_permanent', reason: 'refused' });
    expect(await bench.effects(keyOf(step))).toEqual([]);
  });
});

test('[B34] a definite 409 stays the answer of its key when the slot is free again; a new key books it', async () => {
  let isTaken = true;
  const bookings: string[] = [];
  const tool = sampleTool(({ downstreamKey }): EffectAnswer => {
    if (isTaken) return { kind: 'refused', code: 'slot_taken' };
    bookings.push(downstreamKey);
    return { kind: 'done', answer: { id: `booking_${bookings.length}` } };
  });
  const executor = await bench.executor([tool]);
  const step = newStep();
  const book = (context = step) => executor.execute('sample.act', { value: 'slot 7', b: 1 }, context);
  const first = await book();
  expect(first).toMatchObject({ status: 'rejected', reason: 'refused' });
  isTaken = false;
  expect(await book()).toMatchObject({ status: 'rejected', reason: 'refused', repeated: true });
  expect(bookings).toEqual([]);
  const again = newStep({ intentEvent: 'asked_again' });
  expect(await book(again)).toMatchObject({ status: 'applied', effect_reference: 'booking_1' });
  expect(bookings).toEqual([keyOf(again)]);
});

test('[B13] an answer after the timeout is data that says not to repeat; one name under two steps is two tickets', async () => {
  const executor = await bench.executor([
    ticketsCreate(wire(), {
      version: newVersion(),
      downstream: { ...ticketsCreateContract.downstream, call_budget_ms: 400 },
    }),
  ]);
  fault = 'delay_after_commit=1500';
  const late = newStep();
  const args = { ...TICKET, body: newVersion() };
  expect(await executor.execute('tickets.create', args, late)).toMatchObject({
    status: 'in_flight',
    safe_to_repeat: false,
    next_action: 'poll',
  });
  fault = undefined;
  const effects = await bench.effects(keyOf(late));
  expect(effects).toHaveLength(1);
  await executor.reconcile(200);
  expect(await executor.execute('tickets.create', args, late)).toMatchObject({
    status: 'replayed',
    effect_reference: effects[0],
  });
  // the name is not the identity: whoever means a second one gets it
  const second = newStep({ intentEvent: 'a second issue' });
  expect(await executor.execute('tickets.create', args, second)).toMatchObject({ status: 'applied' });
  expect(await bench.effects(keyOf(second))).toHaveLength(1);
  expect(await bench.effects(keyOf(second))).not.toEqual(effects);
});

describe('[B20] an oversized answer after a success is never a failure', () => {
  test('beyond what a replay may keep: applied with its receipt, the result dropped and marked', async () => {
    const tool = sampleTool(() => ({
      kind: 'done',
      answer: { id: 'effect_1', note: 'x'.repeat(1_000_000) },
    }));
    const executor = await bench.executor([tool]);
    const step = newStep();
    expect(await executor.execute('sample.act', { value: 1, b: 1 }, step)).toMatchObject({
      status: 'applied',
      effect_reference: 'effect_1',
      result: { truncated: true },
    });
  });

  test('beyond what is read at all: unknown', async () => {
    const tool = sampleTool(async ({ signal, downstreamKey }) => {
      const { status, body } = await callHttp(`${bench.deskline.url}/tickets`, {
        method: 'POST',
        headers: { 'idempotency-key': downstreamKey },
        body: TICKET,
        signal,
        maxBytes: 16,
      });
      expect(status).toBe(201);
      return { kind: 'done', answer: body };
    });
    const executor = await bench.executor([tool]);
    const step = newStep();
    await executor.execute('sample.act', { value: 2, b: 1 }, step);
    expect(await bench.row(keyOf(step))).toMatchObject({ status: 'unknown', doubt_attempt: 1 });
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  });
});
