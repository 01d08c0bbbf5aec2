import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContractInput, Tool } from './index.ts';
import { gate, keyOf, newStep, openBench, TICKET, until, type Bench } from './testing/bench.ts';
import { jobDesk } from './testing/job-desk.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

/** An operation whose job was accepted. */
async function accepted(change: Partial<ContractInput> = {}) {
  const desk = jobDesk(bench, change);
  const executor = await bench.executor([desk.tool]);
  const step = newStep();
  const key = keyOf(step);
  const deliver = () => executor.execute('tickets.create', TICKET, step);
  const first = await deliver();
  return {
    ...desk,
    executor,
    step,
    key,
    deliver,
    first,
    reconcile: async () => {
      await bench.pass(key, 3); // the pause between two polls
      return await executor.reconcile(200);
    },
  };
}

describe('a job that the downstream accepted', () => {
  test('is in flight until its own answer: no receipt, no lease, and no second order', async () => {
    const job = await accepted();
    expect(job.first).toMatchObject({
      status: 'in_flight',
      reason: 'job',
      next_action: 'poll',
      safe_to_repeat: false,
      effect_reference: null,
    });
    expect(await bench.row(job.key)).toMatchObject({
      pending_reason: 'accepted',
      provider_job_id: 'job_1',
      lease_token: null,
      doubt_attempt: 1,
    });
    expect(await job.deliver()).toMatchObject({ status: 'in_flight', reason: 'job' });
    expect(await job.reconcile()).toMatchObject({ asked: 1 });
    expect(await job.deliver()).toMatchObject({ status: 'in_flight', reason: 'job' });
    expect(job.accepted).toEqual([job.key]);
    expect(job.polls).toEqual([{ jobId: 'job_1', key: job.key }]);
    expect(await bench.effects(job.key)).toEqual([]);
    expect((await bench.kinds(job.key)).slice(0, 3)).toEqual(['claim', 'accept', 'in_flight']);
  });

  test.each(['job_id', 'operation_key'] as const)(
    'is asked for by its %s, and is applied once done',
    async (by) => {
      const job = await accepted({ job_poll: by });
      const reference = await job.finish(job.key);
      expect(await job.reconcile()).toMatchObject({ asked: 1, settle_found: 1 });
      expect(await job.deliver()).toMatchObject({ status: 'replayed', effect_reference: reference });
      expect((await job.deliver()).result).toMatchObject({ id: reference, status: 'open' });
      expect(await bench.lookups(job.key)).toMatchObject([
        { source: 'job', looked_up_by: by, answer: 'found' },
      ]);
      expect(await bench.effects(job.key)).toEqual([reference]);
      expect(job.accepted).toHaveLength(1);
      expect(await bench.row(job.key)).toMatchObject({ status: 'applied', doubt_attempt: null });
    },
  );

  test('that failed by its own word did not happen, and does not under this key', async () => {
    const job = await accepted();
    job.tell(job.key, { answer: 'refused', because: 'the queue is closed' });
    expect(await job.reconcile()).toMatchObject({ settle_refused: 1 });
    expect(await job.deliver()).toMatchObject({ status: 'rejected', reason: 'refused', repeated: true });
    expect(await bench.row(job.key)).toMatchObject({ status: 'failed_permanent', doubt_attempt: null });
    expect(job.accepted).toHaveLength(1);
    expect(await bench.effects(job.key)).toEqual([]);
  });

  test.each([
    ['pending for ever', { answer: 'pending' }],
    ['unknown to its provider', { answer: 'absent' }],
    ['beyond asking', new Error('no such job')],
  ] as const)('that is %s is unknown after its time, and is not ordered again', async (_name, answer) => {
    const job = await accepted({ recovery_seconds: 60 });
    job.tell(job.key, answer);
    await job.reconcile();
    expect(await bench.row(job.key)).toMatchObject({ pending_reason: 'accepted' });
    await bench.pass(job.key, 120 + 60);
    expect(await job.reconcile()).toMatchObject({ give_up: 1 });
    expect(await job.deliver()).toMatchObject({
      status: 'unknown',
      reason: 'job_lost',
      next_action: 'reconcile',
      safe_to_repeat: false,
    });
    expect(job.accepted).toHaveLength(1);
    expect(await bench.effects(job.key)).toEqual([]);
  });

  test('is a person’s work from its expected end on', async () => {
    const job = await accepted();
    const [due] = await bench.sql(
      `select extract(epoch from case_at - updated_at)::float8 as s from public.tool_operations where operation_key = $1`,
      [job.key],
    );
    expect(due?.['s']).toBe(120);
  });

  test.each([
    ['without a receipt', ' ', { ...TICKET }],
    ['of another request', 'ticket_7', { ...TICKET, subject: 'Another' }],
  ])('whose record is %s proves nothing', async (_name, reference, record) => {
    const job = await accepted();
    job.tell(job.key, { answer: 'found', reference, record });
    expect(await job.reconcile()).toEqual({ asked: 1 });
    expect(await bench.row(job.key)).toMatchObject({
      pending_reason: 'accepted',
      evidence: 'ambiguous',
      effect_reference: null,
    });
  });
});

test('a job id that arrives after the lease was lost is kept and asked for, and no second job is ordered', async () => {
  const desk = jobDesk(bench, { recovery_seconds: 60, mode: 'absolute', ...ABSOLUTE });
  const { opened, open } = gate();
  const slow: Tool = { ...desk.tool, effect: async (call) => (await opened, await desk.tool.effect(call)) };
  const [worker, other] = [
    await bench.executor([slow]),
    await bench.executor([desk.tool], { worker: 'worker-2' }),
  ];
  const step = newStep();
  const running = worker.execute('tickets.create', TICKET, step);
  await until(async () => (await bench.kinds(keyOf(step))).includes('claim'));
  await bench.pass(keyOf(step), 5);
  expect(await other.recover()).toBe(1);
  open();
  expect((await running).status).toBe('in_flight');
  expect(await bench.row(keyOf(step))).toMatchObject({
    pending_reason: 'recovering',
    provider_job_id: 'job_1',
  });
  expect(await bench.lookups(keyOf(step))).toMatchObject([{ source: 'late_answer', answer: 'pending' }]);

  const reference = await desk.finish(keyOf(step));
  await bench.pass(keyOf(step), 3);
  expect(await other.reconcile(200)).toMatchObject({ settle_found: 1 });
  expect(await other.execute('tickets.create', TICKET, step)).toMatchObject({
    status: 'replayed',
    effect_reference: reference,
  });
  expect(desk.accepted).toHaveLength(1);
  expect(await bench.effects(keyOf(step))).toEqual([reference]);
});

const ABSOLUTE: Partial<ContractInput> = { effect_class: 'non_idempotent', version_condition: 'subject' };

test('a job without an id, or of a contract that knows no jobs, is doubt', async () => {
  const desk = jobDesk(bench);
  const step = newStep();
  const executor = await bench.executor([
    { ...desk.tool, effect: async () => ({ kind: 'accepted', jobId: ' ' }) },
  ]);
  expect(await executor.execute('tickets.create', TICKET, step)).toMatchObject({ safe_to_repeat: false });
  expect(await bench.row(keyOf(step))).toMatchObject({ reason: 'unreadable_answer', doubt_attempt: 1 });
});
