import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHORT, type Times } from '../../scripts/chaos/tools.ts';
import { startWorker, type WorkerProcess } from '../../scripts/chaos/worker-process.ts';
import type { Executor } from './index.ts';
import { until } from './testing/bench.ts';
import { newStepOf, openProcessBench, type ProcessBench } from './testing/process-bench.ts';

let bench: ProcessBench;
const workers: WorkerProcess[] = [];
beforeAll(async () => {
  bench = await openProcessBench();
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await bench.close();
});

async function startOne(job: { worker: string; duties?: boolean; clockShiftMs?: number; times?: Times }) {
  const worker = await startWorker({
    duties: false,
    ...job,
    databaseUrl: bench.cluster.urls.executor,
    desklineUrl: bench.deskline.url,
  });
  workers.push(worker);
  return worker;
}

describe('a worker that sleeps beyond its lease and wakes after a takeover', () => {
  /** The worker's effect has happened; it sleeps before it records it, and another expires its lease. */
  const asleep = async (kind: 'tickets' | 'messages') => {
    const step = newStepOf(kind);
    const sleeper = await startOne({ worker: 'sleeper' });
    const answer = sleeper.deliver(step.kind, step.context, 'record');
    await sleeper.standing;
    sleeper.stop(); // its event loop stands still, heartbeats too
    const other = await bench.executor({ worker: 'other' });
    await until(async () => (await other.recover()) > 0, 'the takeover');
    return { step, sleeper, answer, other };
  };

  test('[S40] [B86] finds its writes fenced: one effect, found by a look-up, and its success kept as evidence', async () => {
    const { step, sleeper, answer, other } = await asleep('tickets');
    await until(async () => ((await other.reconcile())['settle_found'] ?? 0) > 0, 'the look-up');
    sleeper.wake();
    sleeper.go();
    const [reference] = await bench.effects(step);
    expect(await answer).toMatchObject({ outcome: { status: 'applied', effect_reference: reference } });
    expect(await bench.effects(step)).toHaveLength(1);
    expect(await bench.row(step)).toMatchObject({
      status: 'applied',
      effect_reference: reference,
      resolved_by: 'reconciler',
      contradicted_at: null,
    });
    expect(await bench.kinds(step)).toEqual([
      'claim',
      'expire',
      'looked_up',
      'settle_found',
      'late_evidence',
    ]);
  }, 60_000);

  test('[S40] [B86] settles what nobody can look up by its late receipt', async () => {
    const { step, sleeper, answer } = await asleep('messages');
    expect(await bench.row(step)).toMatchObject({ status: 'unknown', reason: 'lease_expired' });
    sleeper.wake();
    sleeper.go();
    const [reference] = await bench.effects(step);
    expect(await answer).toMatchObject({ outcome: { effect_reference: reference } });
    expect(await bench.row(step)).toMatchObject({ status: 'applied', effect_reference: reference });
    expect(await bench.kinds(step)).toEqual(['claim', 'expire', 'late_evidence', 'settle_found']);
    expect(await bench.effects(step)).toHaveLength(1);
  }, 60_000);
});

describe('[S41] [B48] workers whose clocks are an hour ahead and an hour behind', () => {
  const HOUR = 3_600_000;
  const LONG: Times = { leaseSeconds: 45, callBudgetMs: 40_000 };

  const shifted = (times: Times) =>
    Promise.all([
      startOne({ worker: 'ahead', duties: true, clockShiftMs: HOUR, times }),
      startOne({ worker: 'behind', duties: true, clockShiftMs: -HOUR, times }),
    ]);
  const expired = async (key: string) =>
    await bench.sql(
      `select extract(epoch from e.at - c.at - make_interval(secs => $2))::float8 as late
         from tool_operation_events e join tool_operation_events c using (operation_key)
        where operation_key = $1 and e.kind = 'expire' and c.kind = 'claim'`,
      [key, SHORT.leaseSeconds],
    );

  test('take over no live lease', async () => {
    const step = newStepOf('tickets');
    const [holder, others] = await Promise.all([startOne({ worker: 'holder', times: LONG }), shifted(LONG)]);
    const answer = holder.deliver(step.kind, step.context, 'effect');
    await holder.standing;
    for (let turn = 0; turn < 3; turn++)
      for (const other of others)
        expect(await other.deliver(step.kind, step.context)).toMatchObject({
          outcome: { status: 'in_flight', reason: 'leased' },
        });
    expect(await bench.effects(step)).toEqual([]);
    holder.go();
    expect(await answer).toMatchObject({ outcome: { status: 'applied', attempt: 1 } });
    expect(await bench.kinds(step)).not.toContain('expire');
    expect(await bench.effects(step)).toHaveLength(1);
  }, 120_000);

  test('and take over a lease that has run out, when it has by the clock of the database', async () => {
    const step = newStepOf('messages');
    const [holder] = await Promise.all([startOne({ worker: 'killed' }), shifted(SHORT)]);
    void holder.deliver(step.kind, step.context, 'effect');
    await holder.standing;
    await holder.kill();
    await until(async () => (await bench.row(step))['status'] === 'unknown', 'the takeover');
    const [expiry] = await expired(step.key);
    // not a moment early; an hour late would be a clock's fault, seconds are a busy machine's
    expect(expiry?.['late']).toBeGreaterThanOrEqual(0);
    expect(expiry?.['late']).toBeLessThan(60);
    expect(await bench.effects(step)).toEqual([]);
  }, 120_000);
});

describe('[B87] a call of many leases under steady heartbeats, while the database pauses', () => {
  const times: Times = { leaseSeconds: 4, callBudgetMs: 40_000 };

  test('is not taken over; and a dead worker is noticed within its lease and the sweep', async () => {
    const step = newStepOf('tickets');
    const slow: Executor = await bench.executor({ linked: true, times });
    const sweeper = await bench.executor({ times, worker: 'sweeper' });
    await bench.control.setFaults([{ fault: 'delay=12000', key_prefix: step.key, times: 1 }]);
    const answer = bench.deliver(slow, step);
    let isAnswered = false;
    void answer.finally(() => {
      isAnswered = true;
    });
    const pauses = (async () => {
      while (!isAnswered) {
        await Promise.race([bench.database.trouble('reply', { delayMs: 700 }), answer]);
      }
    })();
    let expiries = 0;
    while (!isAnswered) {
      expiries += await sweeper.recover();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await answer).toMatchObject({ status: 'applied', attempt: 1 });
    await pauses;
    expect(expiries).toBe(0);
    expect(await bench.effects(step)).toHaveLength(1);

    const dead = newStepOf('messages');
    const victim = await startOne({ worker: 'victim', times });
    void victim.deliver(dead.kind, dead.context, 'effect');
    await victim.standing;
    await victim.kill();
    const leaseUntil = (await bench.row(dead))['lease_until'] as Date;
    await until(async () => (await sweeper.recover()) > 0, 'the sweep');
    const [expiry] = await bench.sql(
      `select at from tool_operation_events where operation_key = $1 and kind = 'expire'`,
      [dead.key],
    );
    const lateMs = (expiry?.['at'] as Date).getTime() - leaseUntil.getTime();
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThan(10_000);
  }, 120_000);
});
