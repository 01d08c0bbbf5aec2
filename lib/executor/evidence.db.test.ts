import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { paymentsCharge, paymentsChargeContract } from '../demo/tools/payments-charge.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { ContractInput, Executor, LookupAnswer, Tool } from './index.ts';
import {
  keyOf,
  MESSAGE,
  newStep,
  newVersion,
  openBench,
  PAYMENT,
  TICKET,
  type Bench,
} from './testing/bench.ts';
import { faultyStore } from './testing/faulty-store.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());
afterEach(async () => {
  await bench.control.clearFaults();
  await bench.control.setConfig({ tickets: { down: false, index_lag_ms: 0 }, payments: { down: false } });
});

/** A key_based tool whose downstream does not deduplicate: only its lookup may settle a doubt. */
const plain: Partial<ContractInput> = {
  downstream: {
    connector: 'deskline.tickets',
    key: 'operation_key',
    call_budget_ms: 3_000,
    settle_seconds: 2,
    own_retries_off: true,
    deduplicates: false,
  },
};
const ticket = (fault: string | undefined, change: Partial<ContractInput> = plain): Tool =>
  ticketsCreate({ url: bench.deskline.url, fault: () => fault }, { version: newVersion(), ...change });

/** An operation whose only attempt is in doubt. */
async function doubted(
  tool: Tool,
  args: unknown = TICKET,
): Promise<{ key: string; executor: Executor; deliver: () => ReturnType<Executor['execute']> }> {
  const step = newStep();
  const executor = await bench.executor([tool]);
  const deliver = () => executor.execute(tool.contract.name, args, step);
  expect((await deliver()).status).toBe('in_flight');
  return { key: keyOf(step), executor, deliver };
}
const fact = async (key: string) => {
  const [row] = await bench.sql(
    'select app.evidence_fact(o, app.contract_of(o)) as fact from public.tool_operations o where operation_key = $1',
    [key],
  );
  return row?.['fact'];
};
const withLookup = (tool: Tool, lookup: () => Promise<LookupAnswer>): Tool => ({ ...tool, lookup });

test('a record whose date cannot be read is found all the same', async () => {
  const tool = withLookup(ticket('commit_then_drop'), async () => ({
    answer: 'found',
    reference: 'ticket_9',
    record: { ...TICKET, id: 'ticket_9' },
    committedAt: 'Tuesday, 1st of December',
  }));
  const { key, executor } = await doubted(tool);
  expect(await executor.reconcile(200)).toMatchObject({ settle_found: 1 });
  expect(await bench.row(key)).toMatchObject({ status: 'applied', effect_reference: 'ticket_9' });
});

describe('rule 6: absence', () => {
  test('asked before quiet time and settle window settles nothing', async () => {
    const { key, executor } = await doubted(ticket('drop_before_commit'));
    await executor.reconcile(200);
    expect(await fact(key)).toBe('absent');
    expect(await bench.row(key)).toMatchObject({
      pending_reason: 'recovering',
      evidence: 'absent',
      doubt_attempt: 1,
    });
    expect(await bench.kinds(key)).toEqual(['claim', 'doubt', 'looked_up']);
  });

  test('an early answer does not become conclusive by waiting', async () => {
    const { key, executor } = await doubted(ticket('drop_before_commit'));
    await executor.reconcile(200);
    const asked = await bench.sql(
      'select evidence_asked_at from public.tool_operations where operation_key = $1',
      [key],
    );
    await bench.pass(key, 6); // the whole row, the time of asking too
    expect(await fact(key)).toBe('absent');
    expect(asked).toHaveLength(1);
  });

  test('asked after them, of an authority, is conclusive: ready again without doubt, and sent once more', async () => {
    const { key, executor } = await doubted(ticket('drop_before_commit'));
    await bench.pass(key, 6);
    expect(await executor.reconcile(200)).toMatchObject({ settle_absent: 1 });
    expect(await bench.row(key)).toMatchObject({
      pending_reason: 'ready',
      doubt_attempt: null,
      recover_until: null,
    });
    expect(await fact(key)).toBe('absent_conclusive');
  });

  test('of an index that lags within its settle window does not hide an effect', async () => {
    await bench.control.setConfig({ tickets: { index_lag_ms: 60_000 } });
    const { key, executor, deliver } = await doubted(ticket('commit_then_drop'));
    await executor.reconcile(200);
    expect(await bench.row(key)).toMatchObject({ evidence: 'absent', pending_reason: 'recovering' });
    expect((await deliver()).status).toBe('in_flight');
    await bench.control.setConfig({ tickets: { index_lag_ms: 0 } });
    await bench.pass(key, 6);
    await executor.reconcile(200);
    expect(await bench.row(key)).toMatchObject({ status: 'applied' });
    expect(await bench.effects(key)).toHaveLength(1);
  });

  test('of a lookup that is not an authority is never conclusive, whenever it is asked: a person decides', async () => {
    const tool = paymentsCharge(
      { url: bench.deskline.url, fault: () => 'drop_before_commit' },
      { version: newVersion() },
    );
    const { key, executor, deliver } = await doubted(tool, PAYMENT);
    await bench.pass(key, 10);
    await executor.reconcile(200);
    expect(await fact(key)).toBe('absent');
    expect(await bench.row(key)).toMatchObject({ pending_reason: 'recovering', doubt_attempt: 1 });
    await bench.pass(key, 3_600);
    expect(await executor.reconcile(200)).toMatchObject({ give_up: 1 });
    expect(await bench.row(key)).toMatchObject({
      status: 'unknown',
      reason: 'recovery_exhausted',
      doubt_attempt: 1,
    });
    expect(await deliver()).toMatchObject({ status: 'unknown', next_action: 'reconcile' });
    expect(await bench.effects(key)).toEqual([]);
  });

  test('of a delicate effect whose attempt never reported its end needs a person', async () => {
    const delicate: Partial<ContractInput> = {
      lookup: { ...paymentsChargeContract.lookup, authoritative: true },
    };
    const tool = paymentsCharge(
      { url: bench.deskline.url, fault: () => 'hang' },
      { version: newVersion(), ...delicate },
    );
    const store = faultyStore(bench.store);
    store.break('transition', 'fail', 3, 'doubt');
    const hanging: Tool = {
      ...tool,
      effect: async () => ({ kind: 'unclear', because: 'the worker died here' }),
    };
    const executor = await bench.executor([hanging], { store });
    const step = newStep();
    await executor.execute('payments.charge', PAYMENT, step);
    await bench.pass(keyOf(step), 60);
    await executor.recover(200);
    expect(await bench.row(keyOf(step))).toMatchObject({
      attempt_ended_at: null,
      pending_reason: 'recovering',
    });
    await executor.reconcile(200);
    expect(await fact(keyOf(step))).toBe('absent_conclusive');
    expect(await bench.row(keyOf(step))).toMatchObject({ status: 'unknown', reason: 'recovery_exhausted' });
  });

  test('typed by a person is never conclusive', async () => {
    const { key } = await doubted(ticket('drop_before_commit'));
    await bench.pass(key, 10);
    await bench.store.recordEvidence([
      {
        tenant_id: 'acme',
        environment: 'production',
        operation_key: key,
        source: 'person',
        asked_by: 'user:1',
        answer: 'absent',
        authoritative: true,
        summary: 'x',
        trace: {},
      },
    ]);
    expect(await fact(key)).toBe('absent');
  });
});

describe('rule 6: a lookup that fails proves nothing', () => {
  test('down until its deadline: nothing is sent, and a person is asked', async () => {
    await bench.control.setConfig({ tickets: { down: true } });
    const { key, executor, deliver } = await doubted(ticket('commit_then_drop', {}));
    await executor.reconcile(200);
    expect(await bench.row(key)).toMatchObject({ evidence: 'failed', pending_reason: 'recovering' });
    expect((await deliver()).status).toBe('in_flight');
    await bench.pass(key, 61);
    expect(await executor.reconcile(200)).toMatchObject({ give_up: 1 });
    expect(await deliver()).toMatchObject({ status: 'unknown', reason: 'recovery_exhausted' });
    expect(await bench.effects(key)).toHaveLength(1);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('x'))],
    ['answers nothing', () => Promise.resolve(undefined as unknown as LookupAnswer)],
    ['answers a word of its own', () => Promise.resolve({ answer: 'gone' } as unknown as LookupAnswer)],
    [
      'finds a record without a reference',
      () =>
        Promise.resolve({
          answer: 'found',
          reference: ' ',
          record: { subject: TICKET.subject, queue_id: TICKET.queue_id },
        } as const),
    ],
    [
      'finds a record of another effect',
      () =>
        Promise.resolve({
          answer: 'found',
          reference: 'ticket_1',
          record: { subject: 'Another', queue_id: TICKET.queue_id },
        } as const),
    ],
    ['says pending', () => Promise.resolve({ answer: 'pending' } as const)],
  ])('one that %s settles nothing, and others are looked at all the same', async (_name, lookup) => {
    const strange = await doubted(withLookup(ticket('commit_then_drop'), lookup));
    const usual = await doubted(ticket('commit_then_drop'));
    const both = await bench.executor([withLookup(ticket('commit_then_drop'), lookup)]);
    await both.reconcile(200);
    await strange.executor.reconcile(200);
    await usual.executor.reconcile(200);
    expect(await bench.row(strange.key)).toMatchObject({
      status: 'pending',
      pending_reason: 'recovering',
      effect_reference: null,
      doubt_attempt: 1,
    });
    expect(await bench.row(usual.key)).toMatchObject({ status: 'applied' });
  });

  test('a record that lost its id on the wire is no receipt', async () => {
    const { key, executor } = await doubted(ticket('commit_then_drop'));
    await bench.control.setFaults([{ on: 'lookup', fault: 'incomplete_body' }]);
    await executor.reconcile(200);
    expect(await bench.row(key)).toMatchObject({ status: 'pending', effect_reference: null });
  });

  test('a lookup that ignores its signal ends by the executor’s own deadline', async () => {
    const tool = withLookup(ticket('commit_then_drop'), () => new Promise(() => {}));
    const { key } = await doubted(tool);
    const executor = await bench.executor([tool], {
      clock: {
        now: () => performance.now(),
        after: (ms, call) => {
          const timer = setTimeout(call, Math.min(ms, 50));
          return () => clearTimeout(timer);
        },
      },
    });
    await executor.reconcile(200);
    expect(await bench.row(key)).toMatchObject({ evidence: 'failed', pending_reason: 'recovering' });
  });

  test('evidence that cannot be stored for one operation does not stop the others', async () => {
    const tool = ticket('commit_then_drop');
    const [one, other] = [await doubted(tool), await doubted(tool)];
    const store = faultyStore(bench.store);
    store.break('recordEvidence', 'fail');
    const executor = await bench.executor([tool], { store });
    await executor.reconcile(200);
    const statuses = [(await bench.row(one.key))['status'], (await bench.row(other.key))['status']];
    expect(statuses.map(String).toSorted()).toEqual(['applied', 'pending']);
  });
});

describe('found', () => {
  test('of an authority settles to applied with the receipt and the replay fields', async () => {
    const { key, executor, deliver } = await doubted(ticket('commit_then_drop'));
    expect(await executor.reconcile(200)).toMatchObject({ settle_found: 1 });
    const [reference] = await bench.effects(key);
    expect(await bench.row(key)).toMatchObject({
      status: 'applied',
      effect_reference: reference,
      resolved_by: 'reconciler',
    });
    expect(await deliver()).toMatchObject({
      status: 'replayed',
      effect_reference: reference,
      result: { id: reference, status: 'open' },
    });
    expect(await bench.kinds(key)).toEqual(['claim', 'doubt', 'looked_up', 'settle_found', 'replayed']);
  });

  test('of a lookup that is not an authority is shown to a person and never applied', async () => {
    const tool = paymentsCharge(
      { url: bench.deskline.url, fault: () => 'commit_then_drop' },
      { version: newVersion() },
    );
    const { key, executor, deliver } = await doubted(tool, PAYMENT);
    expect(await executor.reconcile(200)).toMatchObject({ give_up: 1 });
    const [reference] = await bench.effects(key);
    expect(await bench.row(key)).toMatchObject({
      status: 'unknown',
      evidence: 'found',
      effect_reference: null,
    });
    expect(await bench.lookups(key)).toMatchObject([
      { answer: 'found', authoritative: false, effect_reference: reference },
    ]);
    expect(await deliver()).toMatchObject({ status: 'unknown', effect_reference: null });
    expect(await bench.effects(key)).toHaveLength(1);
  });

  test('is never replaced by another answer', async () => {
    const { key } = await doubted(ticket('commit_then_drop'));
    const id = { tenant_id: 'acme', environment: 'production', operation_key: key };
    const said = {
      ...id,
      source: 'lookup',
      asked_by: 'system:reconcile',
      authoritative: true,
      summary: 'x',
      trace: {},
    } as const;
    await bench.store.recordEvidence([{ ...said, answer: 'found', effect_reference: 'ticket_7' }]);
    for (const answer of ['absent', 'failed', 'refused', 'pending', 'ambiguous'] as const)
      await bench.store.recordEvidence([{ ...said, answer }]);
    expect(await bench.row(key)).toMatchObject({ evidence: 'found' });
    expect(await fact(key)).toBe('found');
  });

  test('a repeated equal answer changes no version', async () => {
    const { key } = await doubted(ticket('drop_before_commit'));
    const said = {
      tenant_id: 'acme',
      environment: 'production',
      operation_key: key,
      source: 'lookup',
      asked_by: 'x',
      authoritative: true,
      answer: 'absent',
      summary: 'x',
      trace: {},
    } as const;
    await bench.store.recordEvidence([said]);
    const { version } = await bench.row(key);
    await bench.store.recordEvidence([said]);
    expect((await bench.row(key))['version']).toBe(version);
  });

  test('the same finding asked again is the one that a decision names, and changes no version', async () => {
    const { key } = await doubted(ticket('drop_before_commit'));
    const found = (reference: string) =>
      bench.store.recordEvidence([
        {
          tenant_id: 'acme',
          environment: 'production',
          operation_key: key,
          source: 'lookup',
          asked_by: 'x',
          authoritative: false,
          answer: 'found',
          effect_reference: reference,
          summary: 'x',
          trace: {},
        },
      ]);
    await found('ticket_7');
    const { version } = await bench.row(key);
    const [again] = await found('ticket_7');
    expect(await bench.row(key)).toMatchObject({ version, evidence_id: again?.evidence_id });
    await found('ticket_8'); // another finding does not take its place unseen
    expect(await bench.row(key)).toMatchObject({ version, evidence_id: again?.evidence_id });
  });
});

test('what somebody else changed while the question was asked is not settled by its answer', async () => {
  const tool = ticket('drop_before_commit');
  const { key } = await doubted(tool);
  await bench.pass(key, 6);
  const meddling: Tool = {
    ...tool,
    lookup: async (question) => {
      await bench.sql('update public.tool_operations set version = version + 1 where operation_key = $1', [
        key,
      ]);
      if (tool.lookup === undefined) throw new Error('no lookup');
      return await tool.lookup(question);
    },
  };
  const executor = await bench.executor([meddling]);
  await executor.reconcile(200);
  expect(await bench.row(key)).toMatchObject({ pending_reason: 'recovering', evidence: 'absent' });
});

test('two reconcilers do not ask about one operation at once', async () => {
  let asked = 0;
  const tool = ticket('commit_then_drop');
  const { key } = await doubted(tool);
  const counting: Tool = {
    ...tool,
    lookup: async () => {
      asked += 1;
      return { answer: 'pending' };
    },
  };
  const executors = await Promise.all([1, 2, 3].map(() => bench.executor([counting])));
  await Promise.all(executors.map((executor) => executor.reconcile(200)));
  expect(asked).toBe(1);
  expect(await bench.lookups(key)).toHaveLength(1);
});

test('a console’s question is answered and settles nothing', async () => {
  const tool = messagesSend(
    { url: bench.deskline.url, fault: () => 'commit_then_drop' },
    { version: newVersion() },
  );
  const advisory = paymentsCharge(
    { url: bench.deskline.url, fault: () => 'commit_then_drop' },
    { version: newVersion() },
  );
  const executor = await bench.executor([tool, advisory]);
  const step = newStep();
  expect((await executor.execute('messages.send', MESSAGE, newStep())).status).toBe('unknown');
  await executor.execute('payments.charge', PAYMENT, step);
  await bench.sql(
    `insert into public.lookup_requests (tenant_id, request_id, environment, operation_key, asked_by) values ('acme', gen_random_uuid(), 'production', $1, 'user:1')`,
    [keyOf(step)],
  );
  const { status } = await bench.row(keyOf(step));
  expect(await executor.answerLookupRequests(200)).toBe(1);
  expect(await bench.lookups(keyOf(step))).toMatchObject([{ asked_by: 'user:1', answer: 'found' }]);
  expect((await bench.row(keyOf(step)))['status']).toBe(status);
  expect(await executor.answerLookupRequests(200)).toBe(0);
});
