import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { executorSql } from '../../db/client.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import { postgresStore, type Executor, type Tool } from './index.ts';
import { keyOf, newStep, newVersion, openBench, TICKET, type Bench } from './testing/bench.ts';
import { faultyStore, type FaultyStore } from './testing/faulty-store.ts';

let bench: Bench;
let store: FaultyStore;
let executor: Executor;
let sent: number;
let tool: Tool;
beforeAll(async () => {
  bench = await openBench();
  tool = ticketsCreate({ url: bench.deskline.url }, { version: newVersion() });
});
afterAll(() => bench.close());
beforeEach(async () => {
  sent = 0;
  store = faultyStore(bench.store);
  const counting: Tool = {
    ...tool,
    effect: async (call) => {
      sent += 1;
      return await tool.effect(call);
    },
  };
  executor = await bench.executor([counting], { store });
});

const create = (step = newStep()) => executor.execute('tickets.create', TICKET, step);

describe('rule 1: no claim, no effect', () => {
  test('a database that is not there ends the call, and nothing reached the wire', async () => {
    const nowhere = new URL(bench.database.urls.executor);
    nowhere.port = '4698';
    // it was there when the process started
    const { seeEpoch: _seen, ...dead } = postgresStore(executorSql(nowhere.href, { deadlineMs: 1_000 }));
    const down = await bench.executor([tool], {
      store: { ...dead, registerContracts: (rows) => bench.store.registerContracts(rows) },
    });
    const step = newStep();
    await expect(down.execute('tickets.create', TICKET, step)).rejects.toMatchObject({
      name: 'DatabaseError',
    });
    expect(await bench.effects(keyOf(step))).toEqual([]);
    await expect(bench.row(keyOf(step))).rejects.toThrow('no operation');
  });

  test('a database that is read-only ends the call, and nothing reached the wire', async () => {
    const url = `${bench.database.urls.executor}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`;
    const readOnly = postgresStore(executorSql(url));
    const step = newStep();
    const standby = await bench.executor([tool], {
      store: { ...readOnly, registerContracts: (rows) => bench.store.registerContracts(rows) },
    });
    await expect(standby.execute('tickets.create', TICKET, step)).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(await bench.effects(keyOf(step))).toEqual([]);
    await expect(bench.row(keyOf(step))).rejects.toThrow('no operation');
  });

  test('a claim that failed is not sent', async () => {
    store.break('claim', 'fail');
    const step = newStep();
    await expect(create(step)).rejects.toThrow('not there');
    expect(sent).toBe(0);
    expect(await bench.effects(keyOf(step))).toEqual([]);
    expect((await create(step)).status).toBe('applied'); // and the same call may be made again
  });

  test('an acquisition that failed is not sent', async () => {
    const step = newStep();
    await create(step);
    await bench.sql(
      `update public.tool_operations set status = 'pending', pending_reason = 'ready', effect_reference = null, response_json = null,
         doubt_attempt = null, expires_at = null, next_attempt_at = now(), case_at = now() where operation_key = $1`,
      [keyOf(step)],
    );
    store.break('transition', 'fail', 6, 'acquire');
    const outcome = await create(step);
    expect(outcome.status).toBe('in_flight');
    expect(sent).toBe(1);
    expect(await bench.row(keyOf(step))).toMatchObject({ pending_reason: 'ready', attempt: 1 });
  });

  test('a contract that is not registered cannot claim', async () => {
    await bench.sql('delete from public.tool_contracts where version = $1', [tool.contract.version]);
    const step = newStep();
    await expect(create(step)).rejects.toMatchObject({ kind: 'raised' });
    expect(sent).toBe(0);
    await bench.executor([tool]); // registers it again
  });
});

describe('a reply that was lost', () => {
  test('to the claim is read again by the token, and the call goes on: one claim, one effect', async () => {
    store.break('claim', 'lose_reply');
    const step = newStep();
    expect(await create(step)).toMatchObject({ status: 'applied', attempt: 1 });
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
    expect(await bench.kinds(keyOf(step))).toEqual(['claim', 'apply']);
  });

  test('to the claim of a key that another delivery holds is that delivery’s record', async () => {
    const step = newStep();
    expect((await create(step)).status).toBe('applied');
    store.break('claim', 'lose_reply');
    expect((await create(step)).status).toBe('replayed');
    expect(sent).toBe(1);
  });

  test('to the claim and to its reading again sends nothing; the row says doubt and is recovered', async () => {
    store.break('claim', 'lose_reply');
    store.break('read', 'fail');
    const step = newStep();
    await expect(create(step)).rejects.toThrow();
    expect(sent).toBe(0);
    expect(await bench.row(keyOf(step))).toMatchObject({ pending_reason: 'leased', doubt_attempt: 1 });
    await bench.pass(keyOf(step), 60);
    await executor.recover(200);
    await executor.reconcile(200); // absent, and asked long after quiet time
    expect(await bench.row(keyOf(step))).toMatchObject({ pending_reason: 'ready', doubt_attempt: null });
  });

  test('to an acquisition is read again by the token', async () => {
    const step = newStep();
    store.break('transition', 'lose_reply', 1, 'acquire');
    const refused = await bench.executor([{ ...tool, effect: async () => ({ kind: 'not_now' }) }]);
    expect((await refused.execute('tickets.create', TICKET, step)).reason).toBe('not_sent');
    await bench.pass(keyOf(step), 60);
    expect(await create(step)).toMatchObject({ status: 'applied', attempt: 2 });
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
    expect(await bench.kinds(keyOf(step))).toEqual(['claim', 'release', 'acquire', 'apply']);
  });

  test.each(['apply', 'refuse', 'release', 'doubt'] as const)(
    'to %s is seen on the next try, and is not late evidence',
    async (event) => {
      const answers = {
        apply: {
          kind: 'done',
          answer: { id: 'ticket_x', subject: TICKET.subject, queue_id: TICKET.queue_id },
        },
        refuse: { kind: 'refused', code: 'x' },
        release: { kind: 'not_now' },
        doubt: { kind: 'unclear', because: 'x' },
      } as const;
      const said = { apply: 'applied', refuse: 'rejected', release: 'rejected', doubt: 'in_flight' } as const;
      const answering = await bench.executor([{ ...tool, effect: async () => answers[event] }], { store });
      store.break('transition', 'lose_reply', 1, event);
      const step = newStep();
      expect(await answering.execute('tickets.create', TICKET, step)).toMatchObject({
        status: said[event],
        repeated: false,
      });
      expect(await bench.lookups(keyOf(step))).toEqual([]);
      expect(await bench.kinds(keyOf(step))).not.toContain('late_evidence');
      expect((await bench.kinds(keyOf(step))).filter((kind) => kind === event)).toHaveLength(1);
    },
  );
});

describe('[B22] an effect that could not be recorded', () => {
  test('stays pending in doubt, is never deleted, and the lookup finds its receipt', async () => {
    store.break('transition', 'fail', 3, 'apply');
    const step = newStep();
    const outcome = await create(step);
    expect(outcome).toMatchObject({
      status: 'unknown',
      reason: 'no_answer',
      next_action: 'reconcile',
      safe_to_repeat: false,
    });
    const [reference] = await bench.effects(keyOf(step));
    expect(await bench.row(keyOf(step))).toMatchObject({
      status: 'pending',
      pending_reason: 'leased',
      doubt_attempt: 1,
    });

    await bench.pass(keyOf(step), 600); // the sweeper, ten minutes on
    await executor.recover(200);
    expect(await bench.row(keyOf(step))).toMatchObject({
      status: 'pending',
      pending_reason: 'recovering',
      reason: 'lease_expired',
    });
    expect(await create(step)).toMatchObject({ status: 'in_flight', reason: 'recovering' });
    expect(sent).toBe(1);
    await executor.reconcile(200);
    expect(await create(step)).toMatchObject({ status: 'replayed', effect_reference: reference });
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
    expect(await bench.kinds(keyOf(step))).toEqual([
      'claim',
      'expire',
      'in_flight',
      'looked_up',
      'settle_found',
      'replayed',
    ]);
  });

  test('a trace row that could not be written does not withhold the answer', async () => {
    const step = newStep();
    await create(step);
    store.break('addEvents', 'fail');
    expect((await create(step)).status).toBe('replayed');
  });
});
