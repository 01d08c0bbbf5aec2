import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { paymentsCharge } from '../demo/tools/payments-charge.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { Executor } from './index.ts';
import {
  keyOf,
  MESSAGE,
  newStep,
  newVersion,
  openBench,
  PAYMENT,
  TICKET,
  type Bench,
} from './testing/bench.ts';

/** Of the ports of this test, one where nobody listens: the connection is refused. */
const NOWHERE = 'http://127.0.0.1:4699';
/** Reserved for names that never resolve (RFC 6761). */
const NO_NAME = 'http://deskline.invalid';

let bench: Bench;
let executor: Executor;
let fault: string | undefined;
let url: string;
beforeAll(async () => {
  bench = await openBench();
  const wire = {
    get url() {
      return url;
    },
    fault: () => fault,
  };
  const short = { call_budget_ms: 1_500, own_retries_off: true as const, key: 'operation_key' as const };
  executor = await bench.executor([
    ticketsCreate(wire, {
      version: newVersion(),
      downstream: {
        ...short,
        connector: 'deskline.tickets',
        deduplicates: true,
        key_window_seconds: 86_400,
        settle_seconds: 1,
      },
    }),
    paymentsCharge(wire, {
      version: newVersion(),
      downstream: { ...short, connector: 'deskline.payments', deduplicates: false, settle_seconds: 5 },
    }),
    messagesSend(wire, {
      version: newVersion(),
      downstream: { ...short, connector: 'deskline.messages', deduplicates: false, settle_seconds: 0 },
    }),
  ]);
});
afterAll(() => bench.close());
beforeEach(() => {
  fault = undefined;
  ({ url } = bench.deskline);
});

const TOOLS = [
  ['tickets.create', TICKET],
  ['payments.charge', PAYMENT],
  ['messages.send', MESSAGE],
] as const;

/** Faults after which the effect may stand, with how often Deskline committed, and what the row says of it. */
const DOUBTFUL = [
  ['commit_then_drop', 1, 'no_answer'],
  ['drop_before_commit', 0, 'no_answer'],
  ['error_after_commit', 1, 'unreadable_answer'],
  ['error_before_commit', 0, 'unreadable_answer'],
  ['gateway_timeout_after_commit', 1, 'unreadable_answer'],
  ['malformed_body', 1, 'unreadable_answer'],
  ['truncated_body', 1, 'unreadable_answer'],
  ['wrong_content_type', 1, 'unreadable_answer'],
  ['incomplete_body', 1, 'unreadable_answer'],
  ['hang', 1, 'no_answer'],
] as const;

describe.each(TOOLS)('rule 4, %s: what is not certain is doubt', (tool, args) => {
  test.each(DOUBTFUL)('[B14] %s', async (given, effects, reason) => {
    fault = given;
    const step = newStep();
    const outcome = await executor.execute(tool, args, step);
    const recovers = tool !== 'messages.send';
    expect(outcome).toMatchObject(
      recovers
        ? { status: 'in_flight', reason: 'recovering', next_action: 'poll' }
        : { status: 'unknown', reason, next_action: 'reconcile' },
    );
    expect(outcome).toMatchObject({ safe_to_repeat: false, effect_reference: null });
    expect(await bench.effects(keyOf(step))).toHaveLength(effects);
    const row = await bench.row(keyOf(step));
    expect(row).toMatchObject({
      status: recovers ? 'pending' : 'unknown',
      pending_reason: recovers ? 'recovering' : null,
      reason,
      doubt_attempt: 1,
      downstream_key: keyOf(step),
      lease_token: null,
      effect_reference: null,
    });
    expect(row['downstream_request_id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await bench.kinds(keyOf(step))).slice(0, 2)).toEqual(['claim', 'doubt']);

    // and a repetition sends nothing: the fault would show as a second effect
    fault = undefined;
    expect((await executor.execute(tool, args, step)).status).toBe(outcome.status);
    expect(await bench.effects(keyOf(step))).toHaveLength(effects);
  });

  test('a delivery that the network doubles is what the downstream makes of it, and one record here', async () => {
    fault = 'deliver_twice';
    const step = newStep();
    expect((await executor.execute(tool, args, step)).status).toBe('applied');
    expect(await bench.effects(keyOf(step))).toHaveLength(tool === 'tickets.create' ? 1 : 2);
    expect(await bench.row(keyOf(step))).toMatchObject({ status: 'applied', attempt: 1 });
  });

  test.each([
    ['refused', () => NOWHERE],
    ['not resolved', () => NO_NAME],
  ])(
    '[B14] a connection that was %s never sent anything: released, and it may be delivered again',
    async (_name, place) => {
      url = place();
      const step = newStep();
      const outcome = await executor.execute(tool, args, step);
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: 'not_sent',
        next_action: 'retry_later',
        safe_to_repeat: true,
      });
      expect(await bench.effects(keyOf(step))).toEqual([]);
      expect(await bench.row(keyOf(step))).toMatchObject({
        status: 'pending',
        pending_reason: 'ready',
        doubt_attempt: null,
        reason: null,
      });
      expect(await bench.kinds(keyOf(step))).toEqual(['claim', 'release']);

      ({ url } = bench.deskline);
      expect(await executor.execute(tool, args, step)).toMatchObject({
        status: 'in_flight',
        reason: 'scheduled',
      });
      await bench.pass(keyOf(step), 60);
      expect(await executor.execute(tool, args, step)).toMatchObject({ status: 'applied', attempt: 2 });
      expect(await bench.effects(keyOf(step))).toHaveLength(1);
    },
  );

  test('“not now” is released and waits as long as the downstream asks', async () => {
    fault = 'not_now=30';
    const step = newStep();
    const outcome = await executor.execute(tool, args, step);
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'not_sent', safe_to_repeat: true });
    expect(outcome.retry_after_seconds).toBeGreaterThan(25);
    expect(await bench.effects(keyOf(step))).toEqual([]);
  });

  test('a definitive refusal is failed_permanent, and is answered as such again', async () => {
    fault = 'refuse';
    const step = newStep();
    expect(await executor.execute(tool, args, step)).toMatchObject({
      status: 'rejected',
      reason: 'refused',
      repeated: false,
    });
    fault = undefined;
    expect(await executor.execute(tool, args, step)).toMatchObject({
      status: 'rejected',
      reason: 'refused',
      repeated: true,
    });
    expect(await bench.effects(keyOf(step))).toEqual([]);
    expect(await bench.row(keyOf(step))).toMatchObject({
      status: 'failed_permanent',
      reason: 'refused',
      doubt_attempt: null,
    });
    expect(await bench.kinds(keyOf(step))).toEqual(['claim', 'refuse', 'rejected']);
  });
});

test.each([
  ['tickets.create', TICKET],
  ['payments.charge', PAYMENT],
] as const)(
  'rule 4, %s: the receipt of another effect is doubt, and its lookup is no receipt either',
  async (tool, args) => {
    fault = 'wrong_receipt';
    const step = newStep();
    expect(await executor.execute(tool, args, step)).toMatchObject({
      status: 'in_flight',
      reason: 'recovering',
    });
    expect(await bench.row(keyOf(step))).toMatchObject({ reason: 'wrong_receipt', effect_reference: null });
    await bench.control.setFaults([{ on: 'lookup', fault: 'wrong_receipt' }]);
    await executor.reconcile(200);
    await bench.control.clearFaults();
    const row = await bench.row(keyOf(step));
    expect(row).toMatchObject({ evidence: 'ambiguous', effect_reference: null });
    expect(row['status']).not.toBe('applied');
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  },
);

test('[B12] a provider that says of itself that a repeat is harmless is not believed: unknown, and no second request', async () => {
  let sends = 0;
  fault = 'commit_then_drop';
  const hinted = {
    ...messagesSend(
      { url: bench.deskline.url, fault: () => ((sends += 1), fault) },
      { version: newVersion() },
    ),
    // what an untrusted server announces beside its tool
    annotations: { idempotentHint: true, readOnlyHint: true, destructiveHint: false },
  };
  const gateway = await bench.executor([hinted]);
  const step = newStep();
  expect((await gateway.execute('messages.send', MESSAGE, step)).status).toBe('unknown');
  fault = undefined;
  await bench.pass(keyOf(step), 3_600);
  await gateway.recover(200);
  await gateway.reconcile(200);
  expect(await gateway.execute('messages.send', MESSAGE, step)).toMatchObject({
    status: 'unknown',
    safe_to_repeat: false,
    next_action: 'reconcile',
  });
  expect(sends).toBe(1);
  expect(await bench.effects(keyOf(step))).toHaveLength(1);
});
