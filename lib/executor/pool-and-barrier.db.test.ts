import { afterAll, beforeAll, expect, test } from 'vitest';
import { statementClient } from '../../db/statement-client.ts';
import { ticketsCreate, ticketsCreateContract } from '../demo/tools/tickets-create.ts';
import { postgresStore, type Store } from './index.ts';
import { gate, keyOf, newStep, newVersion, openBench, TICKET, until, type Bench } from './testing/bench.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const ROUNDS = 200;

test(`[B98] two copies at once on two workers, let go together before the claim: one effect in each of ${ROUNDS} rounds`, async () => {
  const clients = [1, 2].map(() => statementClient(bench.database.urls.executor, { max: 2 }));
  let arrived = 0;
  let barrier = gate();
  /** Both have found nothing and validated everything; neither has claimed. */
  const together = (store: Store): Store => ({
    ...store,
    claim: async (rows) => {
      arrived += 1;
      if (arrived === 2) barrier.open();
      await barrier.opened;
      return await store.claim(rows);
    },
  });
  const tool = ticketsCreate({ url: bench.deskline.url }, { version: newVersion() });
  const workers = await Promise.all(
    clients.map((sql, i) =>
      bench.executor([tool], { store: together(postgresStore(sql)), worker: `worker-${i}` }),
    ),
  );
  const before = (await bench.control.effects()).tickets.records;
  for (let round = 0; round < ROUNDS; round++) {
    arrived = 0;
    barrier = gate();
    const step = newStep();
    const args = { ...TICKET, body: `round ${round}` };
    const outcomes = await Promise.all(workers.map((worker) => worker.execute('tickets.create', args, step)));
    expect(outcomes.filter(({ status }) => status === 'applied')).toHaveLength(1);
    expect(outcomes.every(({ status }) => ['applied', 'in_flight', 'replayed'].includes(status))).toBe(true);
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  }
  const { records, max_effects_per_key: most } = (await bench.control.effects()).tickets;
  expect({ records: records - before, most }).toEqual({ records: ROUNDS, most: 1 });
  await Promise.all(clients.map((sql) => sql.end({ timeout: 2 })));
}, 120_000);

const PARALLEL = 30;
const LOOKS = 20;

test(`[B92] ${PARALLEL} provider calls over a pool of 10 hold no transaction open, and the record keeps answering`, async () => {
  const sql = statementClient(bench.database.urls.executor, { max: 10, applicationName: 'b92' });
  const tool = ticketsCreate(
    { url: bench.deskline.url },
    {
      version: newVersion(),
      // short, so that heartbeats go out while the provider is silent
      lease_seconds: 2,
      downstream: { ...ticketsCreateContract.downstream, call_budget_ms: 60_000 },
    },
  );
  const executor = await bench.executor([tool], { store: postgresStore(sql) });
  // of one width: no key is the beginning of another
  const steps = Array.from({ length: PARALLEL }, (_, i) => newStep({ stepId: `call_${100 + i}` }));
  await bench.control.addFaults(
    steps.map((step) => ({ fault: 'hold_before_commit', key_prefix: keyOf(step), times: 1 })),
  );
  const calls = steps.map((step, i) =>
    executor.execute('tickets.create', { ...TICKET, body: `call ${i}` }, step),
  );
  await until(async () => (await bench.control.held()).length === PARALLEL, 'all requests at the provider');
  const leaseOf = async () => {
    const [row] = await bench.sql(
      'select min(lease_until) as earliest from public.tool_operations where lease_until is not null',
    );
    return Number(row?.['earliest']);
  };
  const first = await leaseOf();
  let looks = 0;
  await until(async () => {
    const open = await bench.sql(
      `select state from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    );
    expect(open).toEqual([]);
    for (const step of steps.slice(0, 3))
      expect((await executor.status('tickets.create', step)).status).toBe('in_flight');
    looks += 1;
    return looks >= LOOKS && (await leaseOf()) > first;
  }, 'a heartbeat');
  for (const step of steps) await bench.control.release(keyOf(step), 'before_commit');
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(steps.map(() => 'applied'));
  expect((await bench.control.effects()).tickets.max_effects_per_key).toBe(1);
  await sql.end({ timeout: 2 });
}, 60_000);
