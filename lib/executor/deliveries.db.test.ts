import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executorSql } from '../../db/client.ts';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import { postgresStore, type Executor } from './index.ts';
import { keyOf, MESSAGE, newStep, newVersion, openBench, TICKET, type Bench } from './testing/bench.ts';
import { faultyStore } from './testing/faulty-store.ts';

let bench: Bench;
let executor: Executor;
beforeAll(async () => {
  bench = await openBench();
  executor = await bench.executor([
    ticketsCreate({ url: bench.deskline.url }),
    messagesSend({ url: bench.deskline.url }),
  ]);
});
afterAll(() => bench.close());

const create = (context = newStep(), args: unknown = TICKET) =>
  executor.execute('tickets.create', args, context);

describe('one step delivered again', () => {
  test('[B01] a new tool-call id is telemetry: three deliveries are one effect, then its stored result', async () => {
    const step = newStep();
    const outcomes = [];
    for (const toolCallId of ['call_1', 'call_3', 'call_5'])
      outcomes.push(await create({ ...step, toolCallId }));
    const effects = await bench.effects(keyOf(step));
    expect(effects).toHaveLength(1);
    expect(outcomes.map(({ status, effect_reference }) => [status, effect_reference])).toEqual([
      ['applied', effects[0]],
      ['replayed', effects[0]],
      ['replayed', effects[0]],
    ]);
    expect(outcomes[1]?.result).toEqual(outcomes[0]?.result);
    expect(outcomes.map(({ repeated }) => repeated)).toEqual([false, true, true]);
    const events = await bench.events(keyOf(step));
    expect(events.map((event) => [event['kind'], event['tool_call_id']])).toEqual([
      ['claim', 'call_1'],
      ['apply', 'call_1'],
      ['replayed', 'call_3'],
      ['replayed', 'call_5'],
    ]);
    const row = await bench.row(keyOf(step));
    expect(row).toMatchObject({
      status: 'applied',
      effect_reference: effects[0],
      attempt: 1,
      resolved_by: 'executor',
    });
    expect(JSON.stringify(row)).not.toContain('call_');
  });

  test('[B02] a task that is run again replays the tool that had finished and runs the other once', async () => {
    const [first, second] = [newStep(), newStep()];
    let crash = true;
    const task = async () => {
      const ticket = await create(first);
      if (crash) throw new Error('the worker lost its task before it stored the result');
      const message = await executor.execute('messages.send', MESSAGE, second);
      return [ticket.status, message.status];
    };
    await expect(task()).rejects.toThrow('lost its task');
    crash = false;
    expect(await task()).toEqual(['replayed', 'applied']);
    expect(await bench.effects(keyOf(first))).toHaveLength(1);
    expect(await bench.effects(keyOf(second))).toHaveLength(1);
    expect(await bench.kinds(keyOf(first))).toEqual(['claim', 'apply', 'replayed']);
    expect(await bench.kinds(keyOf(second))).toEqual(['claim', 'apply']);
  });

  test('[B09] the same operation twice in one batch is one claim; the copy is answered and never an error', async () => {
    const step = { ...newStep(), toolCallId: 'call_7' };
    const outcomes = await Promise.all([create(step), create(step)]);
    const statuses = outcomes.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe('applied');
    expect(['in_flight', 'replayed']).toContain(statuses[1]);
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
    expect((await bench.kinds(keyOf(step))).filter((kind) => kind === 'claim')).toHaveLength(1);
    expect(await bench.row(keyOf(step))).toMatchObject({ status: 'applied', attempt: 1 });
  });

  test('[B32] 50 parallel deliveries of one key over three executors are one effect and one `applied`; the others are answered', async () => {
    const tool = ticketsCreate(
      { url: bench.deskline.url, fault: () => 'delay=2000' },
      { version: newVersion() },
    );
    const warned: string[] = [];
    const replicas = await Promise.all(
      ['a', 'b', 'c'].map(async (worker) => {
        const store = faultyStore(
          postgresStore(executorSql(bench.database.urls.executor, { applicationName: worker })),
        );
        const warn = (message: string) => void warned.push(message);
        return { store, executor: await bench.executor([tool], { worker, store, warn }) };
      }),
    );
    const step = newStep();
    const outcomes = await Promise.all(
      Array.from(
        { length: 50 },
        async (_, i) => await replicas[i % 3]?.executor.execute('tickets.create', TICKET, step),
      ),
    );
    const count = (status: string) => outcomes.filter((outcome) => outcome?.status === status).length;
    expect(count('applied')).toBe(1);
    expect(count('in_flight') + count('replayed')).toBe(49);
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
    expect(await bench.row(keyOf(step))).toMatchObject({ status: 'applied', attempt: 1 });
    const kinds = await bench.kinds(keyOf(step));
    expect(kinds.filter((kind) => kind === 'claim')).toHaveLength(1);
    expect(kinds).toHaveLength(51); // one row for every delivery, and the apply
    // one try to claim by each caller, no error behind any answer, and nothing that calls the provider out of reach
    const claims = replicas.flatMap(({ store }) => store.calls).filter((call) => call === 'claim');
    expect(claims).toHaveLength(50);
    expect(warned).toEqual([]);
    expect(await bench.sql('select from public.connector_health where failures > 0')).toEqual([]);
  });

  test('[B36] a recorded failure is told apart from a fresh one, and is not asked of the provider again', async () => {
    let sends = 0;
    const refusing = ticketsCreate(
      { url: bench.deskline.url, fault: () => ((sends += 1), 'refuse') },
      { version: newVersion() },
    );
    const refused = await bench.executor([refusing]);
    const step = newStep();
    const fresh = await refused.execute('tickets.create', TICKET, step);
    expect(fresh).toMatchObject({ status: 'rejected', reason: 'refused', repeated: false, attempt: 1 });
    expect(fresh).not.toHaveProperty('first_recorded_at');
    const [recorded] = await bench.sql(
      `select at from public.tool_operation_events where operation_key = $1 and kind = 'refuse'`,
      [keyOf(step)],
    );
    for (let i = 0; i < 3; i++) {
      const again = await refused.execute('tickets.create', TICKET, step);
      expect(again).toMatchObject({ status: 'rejected', reason: 'refused', repeated: true, attempt: 1 });
      const told = new Date(again.first_recorded_at ?? '').getTime();
      expect(Math.abs(told - new Date(String(recorded?.['at'])).getTime())).toBeLessThan(1_000);
    }
    expect(sends).toBe(1);
    expect(await bench.effects(keyOf(step))).toEqual([]);
  });

  test('[B37] a repeat at another replica returns the same business result, and makes no second effect', async () => {
    const tool = ticketsCreate({ url: bench.deskline.url }, { version: newVersion() });
    const replica = (name: string) =>
      bench.executor([tool], {
        worker: name,
        store: postgresStore(executorSql(bench.database.urls.executor, { applicationName: name })),
      });
    const [one, two] = [await replica('replica-1'), await replica('replica-2')];
    const step = newStep();
    const first = await one.execute('tickets.create', TICKET, step);
    const again = await two.execute('tickets.create', TICKET, step);
    expect(await bench.effects(keyOf(step))).toEqual([first.effect_reference]);
    expect(first.status).toBe('applied');
    expect(first.result).toMatchObject({ id: first.effect_reference, status: 'open' });
    expect(again).toMatchObject({
      status: 'replayed',
      effect_reference: first.effect_reference,
      attempt: first.attempt,
    });
    expect(again.result).toEqual(first.result);
  });
});

describe('tenants', () => {
  test('[B40] the same step and arguments of another tenant is another operation, and is told nothing of the first', async () => {
    const mine = newStep();
    const theirs = { ...mine, tenantId: 'globex' };
    const before = await create(mine);
    const same = await create(theirs);
    const other = await create(
      { ...theirs, stepId: `${mine.stepId}_b` },
      { ...TICKET, body: 'Something else.' },
    );
    const conflicting = await create(theirs, { ...TICKET, body: 'Something else.' });
    expect([before.status, same.status, other.status]).toEqual(['applied', 'applied', 'applied']);
    expect(same.effect_reference).not.toBe(before.effect_reference);
    expect(conflicting).toMatchObject({
      status: 'rejected',
      reason: 'fingerprint_mismatch',
      effect_reference: null,
    });
    expect(JSON.stringify([same, other, conflicting])).not.toContain('acme');
    expect(await bench.effects(keyOf(mine))).toHaveLength(1);
    expect(await bench.effects(keyOf(theirs))).toHaveLength(1);
    expect((await bench.row(keyOf(theirs)))['tenant_id']).toBe('globex');
    expect(await bench.kinds(keyOf(mine))).toEqual(['claim', 'apply']);
  });

  test('[B40] a part that spells another tenant’s key stays a part', async () => {
    const mine = newStep();
    await create(mine);
    const forged = await create({ ...mine, tenantId: 'globex', workflowId: `x:${keyOf(mine)}` });
    expect(forged.status).toBe('applied');
    expect(forged.operation_key).toMatch(/^globex:production:x%3Aacme%3A/);
    expect(await bench.effects(keyOf(mine))).toHaveLength(1);
    expect(await bench.effects(forged.operation_key)).toHaveLength(1);
  });

  test('staging never sees production', async () => {
    const production = newStep();
    const staging = { ...production, environment: 'staging' };
    const [one, other] = [await create(production), await create(staging)];
    expect([one.status, other.status]).toEqual(['applied', 'applied']);
    expect(await bench.row(keyOf(staging))).toMatchObject({
      environment: 'staging',
      effect_reference: other.effect_reference,
    });
  });
});
