import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Executor, OperationContext } from './index.ts';
import {
  keyOf,
  MESSAGE,
  newStep,
  newVersion,
  openBench,
  PAYMENT,
  TICKET,
  until,
  type Bench,
} from './testing/bench.ts';
import { killedTools, type KilledTool } from './testing/killed-tools.ts';
import type { Boundary, Job, Report } from './testing/worker-main.ts';

let bench: Bench;
const version = newVersion();
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const ARGS: Record<KilledTool, unknown> = { tickets: TICKET, payments: PAYMENT, messages: MESSAGE };
/** Where the worker waits for Deskline: it holds the request before its commit, or the answer after it. */
const FAULTS: Partial<Record<Boundary, string>> = { after_send: 'delay=1500', after_commit: 'hang' };

/** Runs one call in a process of its own and kills it with -9 at the boundary. */
async function killAt(boundary: Boundary, tool: KilledTool, context: OperationContext): Promise<void> {
  const main = path.join(import.meta.dirname, 'testing/worker-main.ts');
  const worker = fork(main, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
  const reports: Report[] = [];
  worker.on('message', (report) => reports.push(report as Report));
  const job: Job = {
    databaseUrl: bench.database.urls.executor,
    desklineUrl: bench.deskline.url,
    boundary,
    tool,
    version,
    args: ARGS[tool],
    context,
  };
  worker.send(job);
  try {
    if (boundary === 'after_send') await until(async () => (await received(context)) > 0, 'the request');
    else if (boundary === 'after_commit')
      await until(async () => (await bench.effects(keyOf(context))).length > 0, 'the commit');
    else await until(() => reports.length > 0, boundary);
  } finally {
    worker.kill('SIGKILL');
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
  }
  expect(worker.signalCode).toBe('SIGKILL');
  expect(reports).toEqual(
    boundary === 'after_claim' || boundary === 'before_record' ? [{ at: boundary }] : [],
  );
}

/** Requests that Deskline has read whole and not answered: it says so of a rule that fired. */
async function received(context: OperationContext): Promise<number> {
  const rules = await bench.control.faults();
  return rules.find(({ key_prefix: prefix }) => prefix === keyOf(context))?.fired ?? 0;
}

/** The killed worker's lease runs out, and another worker recovers it. */
async function recovered(executor: Executor, key: string): Promise<void> {
  await bench.sql(
    `update public.tool_operations set lease_until = clock_timestamp() where operation_key = $1`,
    [key],
  );
  expect(await executor.recover(200)).toBeGreaterThan(0);
}

const BOUNDARIES: Boundary[] = ['after_claim', 'after_send', 'after_commit', 'before_record'];
const sent = (boundary: Boundary) => boundary !== 'after_claim';

describe.each(BOUNDARIES)('[B23] a worker killed with -9 %s', { timeout: 90_000 }, (boundary) => {
  const killed = async (tool: KilledTool) => {
    const context = newStep({ workflowId: `killed_${boundary}_${tool}` });
    const key = keyOf(context);
    // by rule, so that Deskline itself tells when the request is in its hands
    const fault = FAULTS[boundary];
    if (fault !== undefined) await bench.control.setFaults([{ fault, key_prefix: key, times: 1 }]);
    await killAt(boundary, tool, context);
    const held = killedTools({ url: bench.deskline.url }, version)[tool];
    const executor = await bench.executor([held], { worker: 'worker-after' });
    return { key, executor, deliver: () => executor.execute(held.contract.name, ARGS[tool], context) };
  };

  test('where the downstream deduplicates and answers: one effect, applied', async () => {
    const { key, executor, deliver } = await killed('tickets');
    expect(await bench.row(key)).toMatchObject({
      pending_reason: 'leased',
      sent_attempt: 1,
      doubt_attempt: 1,
    });
    expect(await deliver()).toMatchObject({ status: 'in_flight', reason: 'leased' });
    await recovered(executor, key);
    expect(await bench.row(key)).toMatchObject({
      status: 'pending',
      pending_reason: 'recovering',
      reason: 'lease_expired',
    });
    await executor.reconcile(200); // found, or absent too early to be believed: then the same key may be sent again
    await bench.pass(key, 3);
    await deliver();
    if (sent(boundary)) await until(async () => (await bench.effects(key)).length > 0, 'the commit');
    for (let turn = 0; turn < 3; turn++) {
      await bench.pass(key, 5);
      await executor.reconcile(200);
      await deliver();
    }
    const [reference] = await bench.effects(key);
    expect(await deliver()).toMatchObject({ status: 'replayed', effect_reference: reference });
    expect(await bench.effects(key)).toHaveLength(1);
    expect(await bench.row(key)).toMatchObject({
      status: 'applied',
      effect_reference: reference,
      doubt_attempt: null,
      contradicted_at: null,
    });
    const kinds = await bench.kinds(key);
    expect(kinds.slice(0, 3)).toEqual(['claim', 'in_flight', 'expire']);
    expect(kinds).toContain(
      boundary === 'after_commit' || boundary === 'before_record' ? 'settle_found' : 'looked_up',
    );
  });

  test('where the lookup only informs: unknown with what it shows, and nothing is sent again', async () => {
    const { key, executor, deliver } = await killed('payments');
    if (sent(boundary)) await until(async () => (await bench.effects(key)).length > 0, 'the commit');
    await recovered(executor, key);
    await executor.reconcile(200);
    await bench.pass(key, 60);
    await executor.reconcile(200);
    const effects = await bench.effects(key);
    expect(effects).toHaveLength(sent(boundary) ? 1 : 0);
    expect(await bench.row(key)).toMatchObject({
      status: 'unknown',
      doubt_attempt: 1,
      effect_reference: null,
      evidence: sent(boundary) ? 'found' : 'absent',
    });
    expect((await bench.lookups(key)).at(-1)).toMatchObject({
      authoritative: false,
      effect_reference: effects[0] ?? null,
    });
    expect(await deliver()).toMatchObject({
      status: 'unknown',
      next_action: 'reconcile',
      effect_reference: null,
    });
    expect(await bench.effects(key)).toHaveLength(effects.length);
  });

  test('where nothing can be asked: unknown at once, and nothing is sent again', async () => {
    const { key, executor, deliver } = await killed('messages');
    if (sent(boundary)) await until(async () => (await bench.effects(key)).length > 0, 'the commit');
    await recovered(executor, key);
    await executor.reconcile(200);
    expect(await bench.row(key)).toMatchObject({
      status: 'unknown',
      reason: 'lease_expired',
      doubt_attempt: 1,
    });
    expect(await bench.kinds(key)).toEqual(['claim', 'expire']);
    expect(await deliver()).toMatchObject({ status: 'unknown', reason: 'lease_expired' });
    expect(await bench.effects(key)).toHaveLength(sent(boundary) ? 1 : 0);
  });
});
