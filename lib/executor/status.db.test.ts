import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { Executor } from './index.ts';
import { keyOf, newStep, newVersion, openBench, permit, TICKET, type Bench } from './testing/bench.ts';

let bench: Bench;
let executor: Executor;
let fault: string | undefined;
let allowed = true;
beforeAll(async () => {
  bench = await openBench();
  executor = await bench.executor(
    [ticketsCreate({ url: bench.deskline.url, fault: () => fault }, { version: newVersion() })],
    { authorize: async (asked) => ({ ...(await permit(asked)), allowed }) },
  );
});
afterAll(() => bench.close());
beforeEach(() => {
  fault = undefined;
  allowed = true;
});

test('by the key alone it tells status and next action, never reference or result', async () => {
  const step = newStep();
  await executor.execute('tickets.create', TICKET, step);
  const [reference] = await bench.effects(keyOf(step));
  expect(await executor.status('tickets.create', step)).toMatchObject({
    status: 'replayed',
    next_action: 'none',
    effect_reference: null,
    result: null,
  });
  expect(await executor.status('tickets.create', step, { args: TICKET })).toMatchObject({
    status: 'replayed',
    effect_reference: reference,
    result: { id: reference },
  });
  expect(
    await executor.status('tickets.create', step, { args: { ...TICKET, body: 'Another.' } }),
  ).toMatchObject({
    status: 'rejected',
    reason: 'fingerprint_mismatch',
    effect_reference: null,
  });
});

test('it does nothing about a step: no claim, no attempt, no effect', async () => {
  const unknownStep = newStep();
  expect(await executor.status('tickets.create', unknownStep)).toMatchObject({
    status: 'rejected',
    reason: 'not_sent',
    next_action: 'retry_later',
    safe_to_repeat: true,
  });
  const before = await bench.rows();
  fault = 'commit_then_drop';
  const step = newStep();
  await executor.execute('tickets.create', TICKET, step);
  const { version } = await bench.row(keyOf(step));
  expect(await executor.status('tickets.create', step)).toMatchObject({
    status: 'in_flight',
    next_action: 'poll',
  });
  expect(await bench.row(keyOf(step))).toMatchObject({ version });
  expect(await bench.kinds(keyOf(step))).toContain('polled');
  expect(await bench.rows()).toBe(before + 1);
  expect(await bench.effects(keyOf(step))).toHaveLength(1);
});

test('a caller who may not see it cannot tell a known step from a new one', async () => {
  const step = newStep();
  await executor.execute('tickets.create', TICKET, step);
  allowed = false;
  const strip = ({ operation_key: _key, ...outcome }: object & { operation_key: string }) => outcome;
  const known = await executor.status('tickets.create', step, { args: TICKET });
  expect(known).toMatchObject({ status: 'rejected', reason: 'unauthorized', effect_reference: null });
  expect(strip(await executor.status('tickets.create', newStep(), { args: TICKET }))).toEqual(strip(known));
});
