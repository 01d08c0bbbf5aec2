import { afterAll, beforeAll, expect, test } from 'vitest';
import { ticketsClose } from '../demo/tools/tickets-close.ts';
import type { Executor } from './index.ts';
import { keyOf, newStep, newVersion, openBench, TICKET, type Bench } from './testing/bench.ts';

let bench: Bench;
let executor: Executor;
let fault: string | undefined;
beforeAll(async () => {
  bench = await openBench();
  const wire = { url: bench.deskline.url, fault: () => fault };
  executor = await bench.executor([ticketsClose(wire, { version: newVersion() })]);
});
afterAll(() => bench.close());

async function newTicket(): Promise<{ ticket_id: string; expected_version: number }> {
  const response = await fetch(`${bench.deskline.url}/tickets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(TICKET),
  });
  const ticket = (await response.json()) as { id: string; version: number };
  return { ticket_id: ticket.id, expected_version: ticket.version };
}

test('a target that an attempt in doubt has changed itself does not end its recovery: the downstream is asked again', async () => {
  const target = await newTicket();
  const step = newStep();
  const key = keyOf(step);
  fault = 'commit_then_drop';
  expect(await executor.execute('tickets.close', target, step)).toMatchObject({ status: 'in_flight' });
  fault = undefined;
  await executor.reconcile(200);
  await bench.pass(key, 30);
  expect(await executor.execute('tickets.close', target, step)).toMatchObject({
    status: 'applied',
    attempt: 2,
  });
  expect(await bench.effects(key)).toHaveLength(1);
  expect(await bench.row(key)).toMatchObject({ status: 'applied', doubt_attempt: null });
});

test('a target that somebody else changed meanwhile is left as it is', async () => {
  const target = await newTicket();
  const step = newStep();
  const key = keyOf(step);
  fault = 'drop_before_commit';
  expect(await executor.execute('tickets.close', target, step)).toMatchObject({ status: 'in_flight' });
  fault = undefined;
  await bench.control.revise('tickets', target.ticket_id);
  await executor.reconcile(200);
  await bench.pass(key, 30);
  await executor.execute('tickets.close', target, step);
  expect(await bench.effects(key)).toEqual([]);
  expect((await bench.row(key))['status']).not.toBe('applied');
});
