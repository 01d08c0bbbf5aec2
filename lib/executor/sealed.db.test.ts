import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refundsCreate } from '../demo/tools/refunds-create.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { Sealing, Tool } from './index.ts';
import {
  keyOf,
  newStep,
  newVersion,
  openBench,
  TICKET,
  until,
  type Bench,
  type Stored,
} from './testing/bench.ts';

/** What Deskline says of every new ticket: here a secret that no row may hold. */
const CANARY = 'Ticket filed, customer notified';

const K1 = randomBytes(32);
const K2 = randomBytes(32);
const FIRST: Sealing = { current: 'k1', keys: { k1: K1 } };
const SECOND: Sealing = { current: 'k2', keys: { k1: K1, k2: K2 } };
const ONLY_SECOND: Sealing = { current: 'k2', keys: { k2: K2 } };

let bench: Bench;
let tool: Tool;
let fault: string | undefined;
let warned: string[] = [];
beforeAll(async () => {
  bench = await openBench();
  tool = ticketsCreate(
    { url: bench.deskline.url, fault: () => fault },
    {
      version: newVersion(),
      replay: { fields: ['id', 'status', 'note'], sensitive: ['note'], max_bytes: 4_096 },
    },
  );
});
afterAll(() => bench.close());
beforeEach(() => {
  fault = undefined;
  warned = [];
});

const executor = (sealing: Sealing, tools: readonly Tool[] = [tool]) =>
  bench.executor(tools, { sealing, warn: (message) => void warned.push(message) });

async function applied(sealing = FIRST) {
  const step = newStep();
  const outcome = await (await executor(sealing)).execute('tickets.create', TICKET, step);
  expect(await bench.effects(keyOf(step))).toEqual([outcome.effect_reference]);
  return { step, outcome, key: keyOf(step) };
}
const replayed = async (step: ReturnType<typeof newStep>, sealing: Sealing) =>
  (await executor(sealing)).execute('tickets.create', TICKET, step);

/** Every row of every table as text, with what is binary in each form in which it could be read. */
async function dump(): Promise<string> {
  const tables = await bench.sql(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'app')`,
  );
  const texts = [];
  for (const { name } of tables)
    texts.push(...(await bench.sql(`select row_to_json(t)::text as text from ${String(name)} t`)));
  return texts.map(({ text }: Stored) => String(text)).join('\n');
}
const forms = (secret: string) =>
  (['utf8', 'hex', 'base64'] as const).map((form) => Buffer.from(secret).toString(form).slice(0, 24));

describe('a sensitive replay field', () => {
  test('is readable in no row of the database, by whatever way its answer came', async () => {
    const { outcome, key } = await applied();
    expect(outcome.result).toMatchObject({ id: outcome.effect_reference, note: CANARY });
    expect(await bench.row(key)).toMatchObject({
      response_json: { id: outcome.effect_reference, status: 'open' },
      response_sealed: expect.any(Buffer),
    });

    // by a lookup
    const found = newStep();
    fault = 'commit_then_drop';
    const asking = await executor(FIRST);
    expect((await asking.execute('tickets.create', TICKET, found)).status).toBe('in_flight');
    fault = undefined;
    expect(await asking.reconcile(200)).toMatchObject({ settle_found: 1 });
    expect((await replayed(found, FIRST)).result).toMatchObject({ note: CANARY });

    // by the late answer of a tool that ignores its signal
    const late = newStep();
    const deaf = ticketsCreate(
      { url: bench.deskline.url, fault: () => 'delay_after_commit=700' },
      {
        version: newVersion(),
        replay: tool.contract.replay,
        downstream: { ...tool.contract.downstream, call_budget_ms: 300 },
      },
    );
    const running = await executor(FIRST, [
      {
        ...(deaf as Tool),
        effect: (call) => (deaf as Tool).effect({ ...call, signal: new AbortController().signal }),
      },
    ]);
    expect((await running.execute('tickets.create', TICKET, late)).status).toBe('in_flight');
    await until(async () => (await bench.row(keyOf(late)))['status'] === 'applied');
    expect((await bench.row(keyOf(late)))['response_sealed']).toBeInstanceOf(Buffer);

    const text = await dump();
    expect(text).toContain(String(outcome.effect_reference)); // the dump does hold what is not sensitive
    for (const form of forms(CANARY)) expect(text).not.toContain(form);
  });

  test('comes back with the replay, and for the status of who knows the request', async () => {
    const { step, outcome } = await applied();
    expect(await replayed(step, FIRST)).toMatchObject({ status: 'replayed', result: outcome.result });
    const asking = await executor(FIRST);
    expect((await asking.status('tickets.create', step, { args: TICKET })).result).toEqual(outcome.result);
    expect((await asking.status('tickets.create', step)).result).toBeNull();
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
    expect(warned).toEqual([]);
  });

  test('does not open for another operation, and is missing there rather than shown', async () => {
    const [one, other] = [await applied(), await applied()];
    await bench.sql(
      `update public.tool_operations t set response_sealed = o.response_sealed
         from public.tool_operations o where t.operation_key = $1 and o.operation_key = $2`,
      [one.key, other.key],
    );
    const outcome = await replayed(one.step, FIRST);
    expect(outcome).toMatchObject({ status: 'replayed', effect_reference: one.outcome.effect_reference });
    expect(outcome.result).toEqual({ id: one.outcome.effect_reference, status: 'open' });
    expect(warned).toEqual([`the sealed result of ${one.key} cannot be opened`]);
    expect((await replayed(other.step, FIRST)).result).toMatchObject({ note: CANARY });
  });

  test('that was changed by one bit does not open', async () => {
    const { step, key } = await applied();
    await bench.sql(
      `update public.tool_operations set response_sealed = set_byte(response_sealed, length(response_sealed) - 1,
         get_byte(response_sealed, length(response_sealed) - 1) # 1) where operation_key = $1`,
      [key],
    );
    expect((await replayed(step, FIRST)).result).not.toHaveProperty('note');
    expect(warned).toHaveLength(1);
  });

  test('opens after the key was rotated, and what comes then is sealed with the new one', async () => {
    const old = await applied(FIRST);
    const fresh = await applied(SECOND);
    for (const { step } of [old, fresh])
      expect((await replayed(step, SECOND)).result).toMatchObject({ note: CANARY });
    expect(warned).toEqual([]);
    // the first key is gone: only what it sealed is missing, with a warning, and nothing is done again
    expect((await replayed(fresh.step, ONLY_SECOND)).result).toMatchObject({ note: CANARY });
    expect(await replayed(old.step, ONLY_SECOND)).toMatchObject({
      status: 'replayed',
      effect_reference: old.outcome.effect_reference,
      result: { id: old.outcome.effect_reference, status: 'open' },
    });
    expect(warned).toEqual([`the sealed result of ${old.key} cannot be opened`]);
    expect(await bench.effects(old.key)).toHaveLength(1);
  });
});

test('the request is kept sealed where recovery may send it again, and nowhere else', async () => {
  const refund = (resends: boolean) =>
    refundsCreate(
      { url: bench.deskline.url },
      { version: newVersion(), ...(resends && { resend_by_recovery: true as const }) },
    );
  const secret = 'Refund-of-the-canary-2718';
  for (const resends of [true, false]) {
    const step = newStep();
    const args = { payment_id: secret, amount: 1_000, currency: 'EUR', reason: 'Damaged.' };
    await (await executor(FIRST, [refund(resends)])).execute('refunds.create', args, step);
    const { request_sealed: sealed } = await bench.row(keyOf(step));
    if (!resends) expect(sealed).toBeNull();
    else for (const form of forms(secret)) expect((sealed as Buffer).toString('latin1')).not.toContain(form);
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  }
});

test('a contract that seals is refused without keys, and a key of another size is refused', async () => {
  await expect(bench.executor([tool])).rejects.toThrow(/give createExecutor `sealing`/);
  for (const [sealing, problem] of [
    [{ current: 'k3', keys: { k1: K1 } }, /no key with the current id k3/],
    [{ current: 'k1', keys: { k1: randomBytes(16) } }, /has 16 bytes, not 32/],
  ] as const)
    await expect(executor(sealing)).rejects.toThrow(problem);
});
