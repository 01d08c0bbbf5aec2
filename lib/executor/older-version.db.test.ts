import { z } from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { Tool } from './index.ts';
import { keyOf, newStep, newVersion, openBench, TICKET, type Bench } from './testing/bench.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

/** An operation of the old version that provably did nothing, and a process that holds both versions. */
async function released(input?: Tool['input']) {
  let fault: string | undefined = 'not_now';
  const wire = { url: bench.deskline.url, fault: () => fault };
  const old: Tool = ticketsCreate(wire, { version: newVersion() });
  const step = newStep();
  const before = await bench.executor([old]);
  expect(await before.execute('tickets.create', TICKET, step)).toMatchObject({ reason: 'not_sent' });
  fault = undefined;
  await bench.pass(keyOf(step), 30);
  const lowercased = { rules: ['lowercase' as const], because: 'Queues are named without case.' };
  const { material } = old.contract;
  const newer = ticketsCreate(wire, {
    version: newVersion(),
    material: { ...material, queue_id: lowercased },
  });
  const held = input === undefined ? old : { ...old, input };
  return { step, executor: await bench.executor([held, newer]) };
}

test('an operation of an older version is performed with the request as that version reads it', async () => {
  const { step, executor } = await released();
  expect(await executor.execute('tickets.create', TICKET, step)).toMatchObject({
    status: 'applied',
    attempt: 2,
  });
  expect(await bench.effects(keyOf(step))).toHaveLength(1);
});

test('what the older version does not take is another request: nothing is sent, and execute does not throw', async () => {
  const { step, executor } = await released(z.strictObject({ nothing: z.string() }) as never);
  expect(await executor.execute('tickets.create', TICKET, step)).toMatchObject({
    status: 'rejected',
    reason: 'fingerprint_mismatch',
    effect_reference: null,
  });
  expect(await bench.effects(keyOf(step))).toEqual([]);
});
