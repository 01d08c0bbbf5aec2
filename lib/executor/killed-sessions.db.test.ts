import { afterAll, beforeAll, expect, test } from 'vitest';
import { executorSql } from '../../db/client.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import { postgresStore, type OperationContext, type Outcome } from './index.ts';
import { keyOf, newStep, newVersion, openBench, TICKET, type Bench } from './testing/bench.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const KILLS = 100;

test('[S38] [B94] sessions killed inside transactions, with queries queued behind them: the process lives, no orphan row, nothing runs twice', async () => {
  const uncaught: unknown[] = [];
  const catcher = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', catcher).on('unhandledRejection', catcher);
  const tool = ticketsCreate(
    { url: bench.deskline.url },
    { version: newVersion(), require_intent: 'never', attempts: { max: 1000, backoff_seconds: 1 } },
  );
  const store = postgresStore(
    executorSql(bench.database.urls.executor, { applicationName: 'victim', max: 4, deadlineMs: 1_000 }),
  );
  const executor = await bench.executor([tool], { store });
  const steps: OperationContext[] = [];
  const acknowledged: { key: string; outcome: Outcome }[] = [];
  const seen = { kills: 0 };
  const caller = async () => {
    while (seen.kills < KILLS) {
      const step = newStep();
      steps.push(step);
      const outcome = await executor.execute('tickets.create', TICKET, step).catch((error: unknown) => {
        expect(error).toMatchObject({ name: 'DatabaseError' });
      });
      if (outcome?.status === 'applied') acknowledged.push({ key: keyOf(step), outcome });
    }
  };
  const killer = async () => {
    while (seen.kills < KILLS) {
      const killed = await bench.sql(`
        select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
          and application_name = 'victim' and state = 'active' and xact_start is not null order by random() limit 1`);
      seen.kills += killed.length;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await Promise.all([killer(), ...Array.from({ length: 12 }, caller)]);

  // each statement happened wholly or not at all
  const orphans = await bench.sql(`
    select 'operation without its claim' as what, operation_key from tool_operations o
     where not exists (select from tool_operation_events e where e.tenant_id = o.tenant_id
       and e.operation_key = o.operation_key and e.kind = 'claim')
    union all
    select 'claim without its operation', operation_key from tool_operation_events e
     where kind = 'claim' and not exists (select from tool_operations o where o.tenant_id = e.tenant_id
       and o.operation_key = e.operation_key)
    union all
    select 'status without its event', operation_key from tool_operations o
     where (o.status = 'applied') <> exists (select from tool_operation_events e where e.tenant_id = o.tenant_id
       and e.operation_key = o.operation_key and e.kind in ('apply', 'settle_found'))`);
  expect(orphans).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(20);
  for (const { key, outcome } of acknowledged)
    expect(await bench.row(key)).toMatchObject({
      status: 'applied',
      effect_reference: outcome.effect_reference,
    });

  // the backlog goes to recovery, and is not run twice
  await bench.sql(
    `update tool_operations set lease_until = clock_timestamp() where pending_reason = 'leased' and lease_until > clock_timestamp()`,
  );
  const later = await bench.executor([tool], { worker: 'later' });
  const open = async () => {
    const done = await bench.sql(`select operation_key from tool_operations where status = 'applied'`);
    const keys = new Set(done.map((row) => row['operation_key']));
    return steps.filter((step) => !keys.has(keyOf(step)));
  };
  for (let turn = 0, left = steps; left.length > 0 && turn < 100; turn++) {
    await later.recover(1000);
    await later.reconcile(100);
    await bench.sql(
      `update tool_operations set next_attempt_at = clock_timestamp(), quiet_until = quiet_until - interval '5 seconds'
        where status = 'pending'`,
    );
    for (const step of left) await later.execute('tickets.create', TICKET, step);
    left = await open();
  }
  expect(await open()).toEqual([]);
  expect((await bench.control.effects()).tickets).toMatchObject({
    records: steps.length,
    keys: steps.length,
    max_effects_per_key: 1,
  });
  process.off('uncaughtException', catcher).off('unhandledRejection', catcher);
  expect(uncaught).toEqual([]);
}, 300_000);
