import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { Sealing } from './index.ts';
import { keyOf, MESSAGE, newStep, newVersion, openBench, TICKET, type Bench } from './testing/bench.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

describe('a process that serves staging, on the table of production', () => {
  test('asks about nothing of production and settles nothing of it: no second effect', async () => {
    let fault: string | undefined = 'commit_then_drop';
    const version = newVersion();
    const tool = ticketsCreate({ url: bench.deskline.url, fault: () => fault }, { version });
    const production = await bench.executor([tool], { environments: ['production'] });
    // the downstream of staging has never heard of it
    const elsewhere = {
      ...ticketsCreate({ url: bench.deskline.url }, { version }),
      lookup: async () => ({ answer: 'absent' as const }),
    };
    const staging = await bench.executor([elsewhere], { environments: ['staging'], worker: 'staging' });
    const step = newStep();
    await production.execute('tickets.create', TICKET, step);
    fault = undefined;
    await bench.pass(keyOf(step), 10);
    expect(await staging.reconcile(200)).toEqual({ asked: 0 });
    expect(await bench.row(keyOf(step))).toMatchObject({ pending_reason: 'recovering', evidence: null });
    await production.reconcile(200);
    expect(await bench.row(keyOf(step))).toMatchObject({ status: 'applied' });
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  });

  test('refuses a delivery and a status of production, and nothing is read or sent', async () => {
    const staging = await bench.executor(
      [messagesSend({ url: bench.deskline.url }, { version: newVersion() })],
      {
        environments: ['staging'],
      },
    );
    const step = newStep();
    await expect(staging.execute('messages.send', MESSAGE, step)).rejects.toThrow(
      /serves staging, not production/,
    );
    await expect(staging.status('messages.send', step)).rejects.toThrow(/serves staging, not production/);
    expect(await bench.events(keyOf(step))).toEqual([]);
    expect(await bench.effects(keyOf(step))).toEqual([]);
  });
});

const sealing: Sealing = { current: 'k1', keys: { k1: new Uint8Array(32).fill(7) } };

test('what was claimed in somebody else’s name is not sent again by recovery: only a delivery knows whose rights', async () => {
  const tool = ticketsCreate(
    { url: bench.deskline.url, fault: () => 'not_now' },
    { version: newVersion(), resend_by_recovery: true },
  );
  const executor = await bench.executor([tool], { sealing });
  const step = newStep({ actor: { id: 'agent:planner', onBehalfOf: 'user:ines' } });
  await executor.execute('tickets.create', TICKET, step);
  expect((await bench.row(keyOf(step)))['request_sealed']).toBeNull();
});

test('a process that asks for approval does not run what was claimed without one', async () => {
  let fault: string | undefined = 'not_now';
  const tool = ticketsCreate({ url: bench.deskline.url, fault: () => fault }, { version: newVersion() });
  const lax = await bench.executor([tool]);
  const step = newStep();
  expect(await lax.execute('tickets.create', TICKET, step)).toMatchObject({ reason: 'not_sent' });
  fault = undefined;
  await bench.pass(keyOf(step), 30);
  const strict = await bench.executor([tool], { stricter: { 'tickets.create': 'automate_with_approval' } });
  expect(await strict.execute('tickets.create', TICKET, step)).toMatchObject({ reason: 'manual_only' });
  expect(await bench.effects(keyOf(step))).toEqual([]);
});

test('what a provider says in an error is not stored: it can hold the request', async () => {
  let fault: string | undefined = 'commit_then_drop';
  const base = ticketsCreate({ url: bench.deskline.url, fault: () => fault }, { version: newVersion() });
  const tool = {
    ...base,
    lookup: async () => {
      throw new Error('GET /lookup?api_key=sk_live_SECRET failed: {"card":"4242"}');
    },
  };
  const executor = await bench.executor([tool]);
  const step = newStep();
  await executor.execute('tickets.create', TICKET, step);
  fault = undefined;
  await executor.reconcile(200);
  expect(await bench.lookups(keyOf(step))).toMatchObject([{ answer: 'failed' }]);
  const [{ dump }] = (await bench.sql(
    `select (select jsonb_agg(to_jsonb(l)) from lookups l)::text || (select jsonb_agg(to_jsonb(h)) from connector_health h)::text
       || (select jsonb_agg(to_jsonb(e)) from tool_operation_events e)::text as dump`,
  )) as [{ dump: string }];
  expect(dump).toContain('could not be asked: Error');
  expect(dump).not.toMatch(/SECRET|4242/);
});
