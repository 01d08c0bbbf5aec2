import { afterAll, beforeAll, expect, test } from 'vitest';
import { executorSql } from '../../db/client.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import { postgresStore, type OperationContext, type Outcome } from './index.ts';
import { keyOf, newStep, newVersion, openBench, TICKET, until, type Bench } from './testing/bench.ts';

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
    executorSql(bench.database.urls.executor, { applicationName: 'victim', max: 8, deadlineMs: 2_000 }),
  );
  const executor = await bench.executor([tool], { store });
  const steps: OperationContext[] = [];
  const acknowledged: { key: string; outcome: Outcome }[] = [];
  let kills = 0;
  const caller = async () => {
    while (kills < KILLS) {
      const step = newStep();
      steps.push(step);
      const outcome = await executor.execute('tickets.create', TICKET, step).catch((error: unknown) => {
        expect(error).toMatchObject({ name: 'DatabaseError' });
      });
      if (outcome?.status === 'applied') acknowledged.push({ key: keyOf(step), outcome });
    }
  };
  const killer = async () => {
    while (kills < KILLS) {
      const killed = await bench.sql(`
        select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
          and application_name = 'victim' and state = 'active' and xact_start is not null order by random() limit 4`);
      kills += killed.length;
      await new Promise((resolve) => setTimeout(resolve, 200));
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
  await until(async () => {
    await executor.recover(1000);
    await executor.reconcile(1000);
    await bench.sql(
      `update tool_operations set next_attempt_at = clock_timestamp(), quiet_until = quiet_until - interval '5 seconds'
        where status = 'pending' and next_attempt_at > clock_timestamp()`,
    );
    const done = new Set(
      (await bench.sql(`select operation_key from tool_operations where status = 'applied'`)).map(
        (row) => row['operation_key'],
      ),
    );
    const open = steps.filter((step) => !done.has(keyOf(step)));
    await Promise.all(
      open.map((step) => executor.execute('tickets.create', TICKET, step).catch(() => undefined)),
    );
    return open.length === 0;
  }, 'the end of the backlog');
  expect((await bench.control.effects()).tickets).toMatchObject({
    records: steps.length,
    keys: steps.length,
    max_effects_per_key: 1,
  });
  process.off('uncaughtException', catcher).off('unhandledRejection', catcher);
  expect(uncaught).toEqual([]);
}, 180_000);
