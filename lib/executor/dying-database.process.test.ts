import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleSql, scopedReadOn } from '../../db/client.ts';
import { findIdentity } from '../../db/queries/sessions/find-identity.ts';
import { toolOperations } from '../../db/schema/tool-operations.ts';
import { runDuties } from '../workers/run-duties.ts';
import type { Step } from '../../scripts/chaos/step.ts';
import { SHORT } from '../../scripts/chaos/tools.ts';
import type { Executor, Outcome } from './index.ts';
import { until } from './testing/bench.ts';
import { newStepOf, openProcessBench, type ProcessBench } from './testing/process-bench.ts';

let bench: ProcessBench;
const uncaught: unknown[] = [];
const catcher = (error: unknown) => uncaught.push(error);
beforeAll(async () => {
  process.on('uncaughtException', catcher).on('unhandledRejection', catcher);
  bench = await openProcessBench();
});
afterAll(async () => {
  await bench.close();
  process.off('uncaughtException', catcher).off('unhandledRejection', catcher);
  expect(uncaught).toEqual([]);
});

/** Recovers and reconciles until the operation has come to its end, with deliveries as agents repeat them. */
async function toTheEnd(executor: Executor, step: Step): Promise<Outcome> {
  let outcome: Outcome | undefined;
  await until(async () => {
    await executor.recover();
    await executor.reconcile();
    outcome = await bench.deliver(executor, step);
    return outcome.status === 'replayed' || outcome.status === 'applied' || outcome.status === 'unknown';
  }, 'the end');
  if (outcome === undefined) throw new Error('nothing was answered');
  return outcome;
}

/** An executor that does something once its claim is durable and before it calls the provider. */
const afterClaim = (work: () => Promise<void>, options: Parameters<ProcessBench['executor']>[0] = {}) =>
  bench.executor({
    ...options,
    authorize: async ({ phase }) => {
      if (phase === 'effect') await work();
      return { allowed: true, policyVersion: 'policy-1' };
    },
  });

describe('[S37] when the reply to a COMMIT is lost', () => {
  test('of the claim: the state is read again, and the effect happens once', async () => {
    const step = newStepOf('messages'); // nobody deduplicates or answers for it
    const executor = await bench.executor({ linked: true });
    const met = bench.database.trouble('reply', 'reset', step.key);
    const outcome = await bench.deliver(executor, step);
    await met;
    expect(outcome).toMatchObject({ status: 'applied', attempt: 1 });
    expect(await bench.effects(step)).toEqual([outcome.effect_reference]);
    expect(await bench.kinds(step)).toEqual(['claim', 'apply']);
  });

  test('of the record of the effect: the state is read again, and the effect is not repeated', async () => {
    const step = newStepOf('messages');
    const met: Promise<void>[] = [];
    const executor = await afterClaim(
      async () => {
        met.push(bench.database.trouble('reply', 'reset', step.key));
      },
      { linked: true },
    );
    const outcome = await bench.deliver(executor, step);
    await Promise.all(met);
    expect(met).toHaveLength(1);
    expect(outcome).toMatchObject({ status: 'applied', attempt: 1 });
    expect(await bench.row(step)).toMatchObject({
      status: 'applied',
      effect_reference: outcome.effect_reference,
    });
    expect(await bench.effects(step)).toEqual([outcome.effect_reference]);
    expect(await bench.kinds(step)).toEqual(['claim', 'apply']);
  });
});

describe('[B50] a Postgres that is not there', () => {
  test('before the claim: nothing reaches the provider', async () => {
    const step = newStepOf('tickets');
    const executor = await bench.executor();
    await bench.cluster.stop();
    await expect(bench.deliver(executor, step)).rejects.toMatchObject({ name: 'DatabaseError' });
    expect(await bench.effects(step)).toEqual([]);
    await bench.cluster.start();
    expect(await toTheEnd(executor, step)).toMatchObject({ status: 'applied', attempt: 1 });
    expect(await bench.effects(step)).toHaveLength(1);
  });

  test.each(['tickets', 'messages'] as const)(
    'between the claim and the provider’s call: one effect, and never a second one of %s',
    async (kind) => {
      const step = newStepOf(kind);
      const executor = await afterClaim(() => bench.cluster.kill(), { times: SHORT, deadlineMs: 1_000 });
      const outcome = await bench.deliver(executor, step);
      expect(outcome).toMatchObject({ status: 'unknown', next_action: 'reconcile', safe_to_repeat: false });
      expect(await bench.effects(step)).toHaveLength(1);
      await bench.cluster.start();
      const later = await bench.executor({ times: SHORT, worker: 'later' });
      const end = await toTheEnd(later, step);
      const [reference] = await bench.effects(step);
      expect(end).toMatchObject(
        kind === 'tickets'
          ? { status: 'replayed', effect_reference: reference }
          : { status: 'unknown', effect_reference: null },
      );
      expect(await bench.effects(step)).toHaveLength(1);
    },
    90_000,
  );

  test('for writes, because it is read-only: nothing reaches the provider', async () => {
    const executor = await bench.executor();
    const step = newStepOf('tickets');
    await readOnly(true);
    await until(
      () =>
        bench.deliver(executor, step).then(
          () => false,
          () => true,
        ),
      'a connection that has read the setting',
    );
    const refused = newStepOf('tickets');
    await expect(bench.deliver(executor, refused)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await bench.effects(refused)).toEqual([]);
    await readOnly(false);
    expect(await toTheEnd(executor, refused)).toMatchObject({ status: 'applied' });
    expect(await bench.effects(refused)).toHaveLength(1);
  });

  async function readOnly(on: boolean): Promise<void> {
    await bench.sql(`alter role replay_executor set default_transaction_read_only = ${on ? 'on' : 'off'}`);
    await bench.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'replay_executor'`,
    );
  }
});

describe('[S39] the postmaster is killed with -9 under the load of an executor', () => {
  test('the process lives, is usable within 10 s, no acknowledged effect is lost, and every call has its end', async () => {
    const executor = await bench.executor({ times: SHORT, deadlineMs: 1_500, worker: 'under load' });
    const steps: Step[] = [];
    const acknowledged: { step: Step; outcome: Outcome }[] = [];
    let longestMs = 0;
    let isOver = false;
    const caller = async () => {
      while (!isOver) {
        const step = newStepOf('tickets');
        steps.push(step);
        const from = performance.now();
        try {
          const outcome = await bench.deliver(executor, step);
          if (outcome.status === 'applied') acknowledged.push({ step, outcome });
        } catch (error) {
          expect(error).toMatchObject({ name: 'DatabaseError' });
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        longestMs = Math.max(longestMs, performance.now() - from);
      }
    };
    const callers = Array.from({ length: 12 }, caller);
    await until(() => acknowledged.length > 50, 'the load');
    await bench.cluster.kill();
    const before = acknowledged.length;
    await bench.cluster.start();
    const back = performance.now();
    await until(() => acknowledged.length > before + 12, 'the load after the kill');
    expect(performance.now() - back).toBeLessThan(10_000);
    isOver = true;
    await Promise.all(callers);

    // one call budget and the tries to record its end, each with its deadline, on a machine that has other work
    expect(longestMs).toBeLessThan(SHORT.callBudgetMs + 5 * 1_500 + 10_000);
    for (const { step, outcome } of acknowledged)
      expect(await bench.row(step)).toMatchObject({
        status: 'applied',
        effect_reference: outcome.effect_reference,
      });
    for (const step of steps) expect((await bench.effects(step)).length).toBeLessThan(2);
  }, 120_000);
});

describe('[B93] 300 operations at once after a restart', () => {
  test('no transaction is killed, the console reads and signs in, and the backlog drains', async () => {
    await bench.sql(`alter role replay_executor set idle_in_transaction_session_timeout = '20s'`);
    await bench.sql(`alter role replay_console set idle_in_transaction_session_timeout = '20s'`);
    const executor = await bench.executor({ times: { leaseSeconds: 30, callBudgetMs: 30_000 } });
    await bench.cluster.kill();
    await bench.cluster.start();
    const steps = Array.from({ length: 300 }, () => newStepOf('tickets'));
    const read = scopedReadOn(bench.cluster.urls.console);
    const duties = new AbortController();
    const running = runDuties({ executor, signal: duties.signal, warn: () => {} });
    const redelivered = async (step: Step): Promise<Outcome> => {
      for (;;) {
        const outcome = await bench.deliver(executor, step).catch((error: unknown) => {
          expect(error).toMatchObject({ name: 'DatabaseError' });
        });
        if (outcome?.status === 'applied' || outcome?.status === 'replayed') return outcome;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    };
    const [outcomes] = await Promise.all([
      Promise.all(steps.map(redelivered)),
      // what the console reads, while all of them want a connection
      findIdentity(consoleSql(bench.cluster.urls.console), {
        issuer: 'https://id.example.com',
        subject: 'ana',
      }),
      ...Array.from({ length: 20 }, () =>
        read([{ tenantId: 'tenant_0', environment: 'production' }], (reads) =>
          reads.select().from(toolOperations).limit(1),
        ),
      ),
    ]);
    duties.abort();
    await running;
    expect(outcomes.filter(({ status }) => status !== 'applied' && status !== 'replayed')).toEqual([]);
    const [stats] = await bench.sql(
      `select sessions_killed, sessions_fatal from pg_stat_database where datname = current_database()`,
    );
    expect(stats).toEqual({ sessions_killed: '0', sessions_fatal: '0' });
    const idle = await bench.sql(
      `select 1 from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()`,
    );
    expect(idle).toEqual([]);
    for (const step of steps) expect(await bench.effects(step)).toHaveLength(1);
  }, 120_000);
});
