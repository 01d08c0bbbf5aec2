import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { Sealing } from './index.ts';
import { keyOf, newStep, newVersion, openBench, TICKET, type Bench } from './testing/bench.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const sealing: Sealing = { current: 'k1', keys: { k1: new Uint8Array(32).fill(7) } };

async function stalled(options: { sealing?: Sealing; authorize?: boolean } = {}) {
  let fault: string | undefined = 'drop_before_commit';
  let allowed = true;
  const tool = ticketsCreate(
    { url: bench.deskline.url, fault: () => fault },
    { version: newVersion(), resend_by_recovery: true, attempts: { max: 4, backoff_seconds: 1 } },
  );
  const warnings: string[] = [];
  const executor = await bench.executor([tool], {
    sealing: options.sealing ?? sealing,
    warn: (message) => warnings.push(message),
    authorize: async () => ({ allowed, policyVersion: 'policy-1' }),
  });
  const step = newStep();
  expect(await executor.execute('tickets.create', TICKET, step)).toMatchObject({ status: 'in_flight' });
  fault = undefined;
  return {
    key: keyOf(step),
    executor,
    warnings,
    tool,
    deny: () => {
      allowed = false;
    },
    settle: async () => {
      await bench.pass(keyOf(step), 10);
      return await executor.reconcile(200);
    },
  };
}

describe('a contract that lets recovery send again', () => {
  test('its next attempt is made by the reconcile duty, from the sealed request, without a delivery', async () => {
    const call = await stalled();
    await call.settle(); // absent and conclusive, or sendable: ready
    await bench.pass(call.key, 60);
    expect(await call.executor.reconcile(200)).toMatchObject({ resent: 1 });
    const row = await bench.row(call.key);
    expect(row).toMatchObject({ status: 'applied', attempt: 2 });
    expect(await bench.effects(call.key)).toEqual([row['effect_reference']]);
  });

  test('the actor of the operation is authorized again, and a denial sends nothing', async () => {
    const call = await stalled();
    await call.settle();
    call.deny();
    await bench.pass(call.key, 60);
    await call.executor.reconcile(200);
    expect(await bench.row(call.key)).toMatchObject({ status: 'pending', pending_reason: 'ready' });
    expect(await bench.effects(call.key)).toEqual([]);
  });

  test('two reconcilers at once make one attempt', async () => {
    const call = await stalled();
    await call.settle();
    await bench.pass(call.key, 60);
    const other = await bench.executor([call.tool], { sealing, worker: 'worker-2' });
    await Promise.all([call.executor.reconcile(200), other.reconcile(200)]);
    expect(await bench.row(call.key)).toMatchObject({ status: 'applied', attempt: 2 });
    expect(await bench.effects(call.key)).toHaveLength(1);
  });

  test('what was sealed under a key that is not here is not sent, and that is told', async () => {
    const call = await stalled();
    await call.settle();
    await bench.pass(call.key, 60);
    const warnings: string[] = [];
    const other = await bench.executor([call.tool], {
      sealing: { current: 'k2', keys: { k2: new Uint8Array(32).fill(9) } },
      warn: (message) => warnings.push(message),
    });
    await other.reconcile(200);
    expect(warnings.join()).toContain(`sending ${call.key} again failed`);
    expect(await bench.effects(call.key)).toEqual([]);
  });

  test('is refused where no sealing keys are configured', async () => {
    const tool = ticketsCreate(
      { url: bench.deskline.url },
      { version: newVersion(), resend_by_recovery: true },
    );
    await expect(bench.executor([tool])).rejects.toThrow(/resend_by_recovery: It is stored sealed/);
  });
});
