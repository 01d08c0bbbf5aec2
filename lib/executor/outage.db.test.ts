import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ticketsCreate, ticketsCreateContract } from '../demo/tools/tickets-create.ts';
import type { ContractInput, Executor, OperationContext } from './index.ts';
import { keyOf, newStep, newVersion, openBench, TICKET, type Bench, type Stored } from './testing/bench.ts';

/** How long recovering may last while the provider answers, in seconds. */
const DEADLINE = 600;

let bench: Bench;
let fault: string | undefined;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());
beforeEach(async () => {
  fault = undefined;
  await bench.sql('delete from public.connector_health');
});
afterEach(() => bench.control.setConfig({ tickets: { down: false } }));

const ticket = (change: Partial<ContractInput> = {}) =>
  ticketsCreate(
    { url: bench.deskline.url, fault: () => fault },
    {
      version: newVersion(),
      lookup: { ...ticketsCreateContract.lookup, deadline_seconds: DEADLINE },
      require_intent: 'never',
      ...change,
    },
  );
/** What Deskline lost, and a lookup that only shows: nothing but a person settles these. */
const shown = (lookup: Partial<NonNullable<ContractInput['lookup']>> = {}) =>
  ticket({
    name: 'tickets.shown',
    downstream: {
      connector: 'deskline.tickets',
      key: 'operation_key',
      call_budget_ms: 3_000,
      settle_seconds: 1,
      own_retries_off: true,
      deduplicates: false,
    },
    lookup: { ...ticketsCreateContract.lookup, authoritative: false, deadline_seconds: DEADLINE, ...lookup },
  });

/** `count` operations in doubt after `given`; the readings of their provider are not asked yet. */
async function doubted(executor: Executor, tool: string, count: number, given: string) {
  fault = given;
  const steps: OperationContext[] = [];
  while (steps.length < count) {
    const batch = Array.from({ length: Math.min(20, count - steps.length) }, () => newStep());
    await Promise.all(batch.map((step) => executor.execute(tool, TICKET, step)));
    steps.push(...batch);
  }
  fault = undefined;
  return steps;
}

const health = async (): Promise<Stored> =>
  (await bench.sql(`select * from public.connector_health where connector = 'deskline.tickets'`))[0] ?? {};
const count = async (where: string) =>
  Number((await bench.sql(`select count(*) from public.tool_operations where ${where}`))[0]?.['count']);
/** What is a person's work now. */
const cases = () => count(`case_at <= clock_timestamp()`);

/** The duties of five minutes. */
async function fiveMinutes(executor: Executor) {
  await bench.passForAll(300);
  await runDuties(executor);
}
/** Until nothing is due. */
async function runDuties(executor: Executor) {
  await executor.recover(500);
  for (;;) {
    const { asked, postponed = 0 } = await executor.reconcile(50);
    if (asked + postponed === 0) return;
  }
}

test(
  '[B128] 400 pending operations and 30 minutes without their provider: no case, one sign of the outage; afterwards they age on',
  { timeout: 240_000 },
  async () => {
    const executor = await bench.executor([ticket(), shown()]);
    const made = await doubted(executor, 'tickets.create', 380, 'commit_then_drop');
    const lost = await doubted(executor, 'tickets.shown', 20, 'drop_before_commit');
    expect(await count(`pending_reason = 'recovering'`)).toBe(400);

    await bench.control.setConfig({ tickets: { down: true } });
    await runDuties(executor);
    expect(await health()).toMatchObject({ because: expect.stringContaining('503') });
    const asked = async () => Number((await bench.sql('select count(*) from public.lookups'))[0]?.['count']);
    const before = await asked();
    for (let passed = 300; passed <= 1_800; passed += 300) {
      await fiveMinutes(executor);
      expect([passed, await cases()]).toEqual([passed, 0]);
    }
    expect(await count(`pending_reason = 'recovering'`)).toBe(400);
    const { failing_since: since, failures } = await health();
    expect(Number(failures)).toBeGreaterThanOrEqual(3);
    expect(Date.now() - (since as Date).getTime()).toBeGreaterThan(1_790_000);
    // one probe for each run of the duty, and not 400 questions to a provider that is down
    expect((await asked()) - before).toBeLessThan(100);

    await bench.control.setConfig({ tickets: { down: false } });
    await bench.passForAll(60); // the pause after the last probe
    await runDuties(executor);
    expect(await health()).toMatchObject({ failing_since: null, failures: 0, answered_at: expect.any(Date) });
    expect(await count(`status = 'applied'`)).toBe(380);
    // what they had left of their time they still have, and none beyond it
    expect(await cases()).toBe(0);
    await fiveMinutes(executor);
    await fiveMinutes(executor);
    expect(await count(`status = 'unknown' and reason = 'recovery_exhausted'`)).toBe(20);
    expect(await cases()).toBe(20);

    for (const step of [...made.slice(0, 3), ...made.slice(-3)])
      expect(await bench.effects(keyOf(step))).toHaveLength(1);
    for (const step of lost) expect(await bench.effects(keyOf(step))).toEqual([]);
    expect((await bench.control.effects()).tickets).toMatchObject({ records: 380, max_effects_per_key: 1 });
  },
);

test('an outage beyond the contract’s outage_seconds is a person’s', async () => {
  const executor = await bench.executor([shown({ outage_seconds: 900 })]);
  const steps = await doubted(executor, 'tickets.shown', 4, 'drop_before_commit');
  await bench.control.setConfig({ tickets: { down: true } });
  const open = () =>
    count(`status = 'unknown' and operation_key in (${steps.map((step) => `'${keyOf(step)}'`).join(', ')})`);
  await runDuties(executor);
  await fiveMinutes(executor);
  await fiveMinutes(executor);
  await fiveMinutes(executor);
  expect(await open()).toBe(0);
  await fiveMinutes(executor);
  await fiveMinutes(executor);
  await fiveMinutes(executor);
  expect(await open()).toBe(4);
});

test('one operation that can never be asked about is no outage: it is a person’s at its deadline', async () => {
  const strange = ticket();
  const executor = await bench.executor([
    { ...strange, lookup: () => Promise.reject(new Error('no such record')) },
  ]);
  const [step] = await doubted(executor, 'tickets.create', 1, 'commit_then_drop');
  await runDuties(executor);
  await fiveMinutes(executor);
  await fiveMinutes(executor);
  await fiveMinutes(executor);
  expect(await health()).toMatchObject({ failures: 1 });
  expect(await bench.row(keyOf(step ?? newStep()))).toMatchObject({ status: 'unknown' });
});
