import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scopedReadOn } from '../../db/client.ts';
import { listFindings } from '../../db/queries/provider_findings/list-findings.ts';
import { paymentsCharge } from '../demo/tools/payments-charge.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import { LookupFailed, type EffectPage, type Executor, type OperationContext, type Tool } from './index.ts';
import { keyOf, newStep, newVersion, openBench, PAYMENT, TICKET, type Bench } from './testing/bench.ts';

let bench: Bench;
let tenants = 0;
/** A tenant of each test's own, so that its lists hold what the test puts there. */
let tenantId: string;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());
beforeEach(() => {
  tenantId = `tenant_${++tenants}`;
});

const step = () => newStep({ tenantId });
const wire = () => ({ url: bench.deskline.url });
const ticketsTool = () => ticketsCreate(wire(), { version: newVersion(), require_intent: 'never' });
const paymentsTool = () => paymentsCharge(wire(), { version: newVersion(), require_intent: 'never' });

/** Somebody who is not our executor writes to the provider; answers the reference. */
async function elsewhere(path: string, key: string, body: unknown): Promise<string> {
  const answer = await fetch(`${bench.deskline.url}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { id: string }).id;
}

const findings = async (open = true) =>
  await bench.sql(
    `select kind, operation_key, reference, downstream_key from provider_findings
      where tenant_id = $1 and (closed_at is null) = $2 order by opened_at, reference`,
    [tenantId, open],
  );

/** One walk of what is due for this tenant, now. */
async function walkNow(executor: Executor) {
  await bench.sql(
    `update provider_walks set next_walk_at = case when tenant_id = $1 then clock_timestamp() else 'infinity' end`,
    [tenantId],
  );
  return await executor.walk(200);
}

/** Lets time pass for what the lists have shown, and for what was judged. */
const passWalk = async (seconds: number) => {
  const back = [tenantId, seconds];
  await bench.sql(
    `update provider_effects set first_seen_at = first_seen_at - make_interval(secs => $2) where tenant_id = $1`,
    back,
  );
  await bench.sql(
    `update provider_walks set judged_until = judged_until - make_interval(secs => $2) where tenant_id = $1`,
    back,
  );
};

async function applied(executor: Executor, tool: Tool, args: unknown, context: OperationContext) {
  const outcome = await executor.execute(tool.contract.name, args, context);
  expect(outcome.status).toBe('applied');
  await bench.pass(keyOf(context), 120); // beyond quiet time and settle window
  return outcome.effect_reference;
}

/** A tool whose provider's list is what the test says, `size` effects a page. */
function listed(
  tool: Tool,
  list: () => EffectPage['effects'],
  size = 100,
  asked: (string | null)[] = [],
): Tool {
  return {
    ...tool,
    listEffects: async ({ after }) => {
      asked.push(after);
      const from = Number(after ?? 0);
      const effects = list().filter((_, i) => i >= from && i < from + size);
      const isLast = from + size >= list().length;
      return { effects, next: isLast ? null : String(from + size) };
    },
  };
}

describe('[B21] a walk of the provider’s list', () => {
  test('shows the effect that no operation explains, and the one beside the recorded receipt', async () => {
    const tool = paymentsTool();
    const executor = await bench.executor([tool]);
    const context = step();
    const key = keyOf(context);
    // the first charge timed out in another client's hands; only the second is recorded
    const first = await elsewhere('payments', key, PAYMENT);
    const recorded = await applied(executor, tool, PAYMENT, context);
    const orphanKey = keyOf(step());
    const orphan = await elsewhere('payments', orphanKey, PAYMENT);
    // our own records look perfect
    expect(await bench.row(key)).toMatchObject({ status: 'applied', contradicted_at: null });
    expect(first).not.toBe(recorded);

    expect(await walkNow(executor)).toMatchObject({ walks: 1, effects: 3, opened: 2, failed: 0 });
    expect(await findings()).toEqual([
      { kind: 'second_effect', operation_key: key, reference: first, downstream_key: key },
      { kind: 'no_operation', operation_key: null, reference: orphan, downstream_key: orphanKey },
    ]);
    const read = scopedReadOn(bench.database.urls.console);
    const shown = await read([{ tenantId, environment: 'production' }], (reads) =>
      listFindings(reads, { tenantId, environment: 'production' }, { after: null, limit: 10 }),
    );
    expect(shown.map(({ kind }) => kind).toSorted()).toEqual(['no_operation', 'second_effect']);
    const others = await read([{ tenantId: 'other', environment: 'production' }], (reads) =>
      listFindings(reads, { tenantId, environment: 'production' }, { after: null, limit: 10 }),
    );
    expect(others).toEqual([]);
  });

  test('opens each finding once, and leaves a trace of each run', async () => {
    const executor = await bench.executor([ticketsTool()]);
    const tool = ticketsTool();
    await applied(await bench.executor([tool]), tool, TICKET, step());
    await elsewhere('tickets', keyOf(step()), TICKET);
    expect(await walkNow(executor)).toMatchObject({ opened: 1 });
    expect(await walkNow(executor)).toMatchObject({ opened: 0, effects: 2 });
    expect(await findings()).toHaveLength(1);
    expect(
      await bench.sql('select runs, effects, failed, worker from provider_walks where tenant_id = $1', [
        tenantId,
      ]),
    ).toEqual([{ runs: '2', effects: 2, failed: null, worker: 'worker-1' }]);
    expect(await bench.sql(`select report from duty_runs where duty = 'walk'`)).toMatchObject([
      { report: { walks: 1, effects: 2 } },
    ]);
  });

  test('makes a case of an operation that it contradicts, by the rules of evidence', async () => {
    const tool = ticketsTool();
    const executor = await bench.executor([tool]);
    const context = step();
    const key = keyOf(context);
    await bench.control.setFaults([{ fault: 'refuse', key_prefix: key, times: 1 }]);
    expect(await executor.execute(tool.contract.name, TICKET, context)).toMatchObject({ status: 'rejected' });
    await bench.control.clearFaults();
    const reference = await elsewhere('tickets', key, TICKET);
    await walkNow(executor);
    await walkNow(executor);
    expect(await findings()).toMatchObject([{ kind: 'resolved_otherwise', operation_key: key, reference }]);
    const row = await bench.row(key);
    expect(row).toMatchObject({ status: 'failed_permanent', evidence: 'found' });
    expect(row['contradicted_at']).not.toBeNull();
    expect(row['case_at']).not.toBeNull();
    expect(await bench.kinds(key)).toEqual(['claim', 'refuse', 'looked_up']);
    expect((await bench.events(key)).at(-1)).toMatchObject({
      actor: 'system:walk',
      detail: { contradicts: true },
    });
  });

  test('a receipt that the list does not show is missing, and no longer once it is shown', async () => {
    let list: EffectPage['effects'] = [];
    const tool = listed(ticketsTool(), () => list);
    const executor = await bench.executor([tool]);
    const context = step();
    const key = keyOf(context);
    const { effect_reference: reference } = await executor.execute(tool.contract.name, TICKET, context);
    expect(await walkNow(executor)).toMatchObject({ opened: 0 }); // it may not be shown yet
    await bench.pass(key, 120);
    await passWalk(120);
    expect(await walkNow(executor)).toMatchObject({ opened: 1 });
    expect(await findings()).toMatchObject([{ kind: 'receipt_missing', operation_key: key, reference }]);
    expect((await bench.row(key))['contradicted_at']).not.toBeNull();
    list = [{ reference: String(reference), downstreamKey: key, committedAt: new Date().toISOString() }];
    expect(await walkNow(executor)).toMatchObject({ closed: 1, opened: 0 });
    expect([await findings(), (await findings(false)).length]).toEqual([[], 1]);
  });

  test('an effect of what is still in doubt is no finding, and is one once a person says that it did not happen', async () => {
    const tool = ticketsTool();
    const executor = await bench.executor([tool]);
    const context = step();
    const key = keyOf(context);
    await bench.control.setFaults([{ fault: 'commit_then_drop', key_prefix: key, times: 1 }]);
    await executor.execute(tool.contract.name, TICKET, context);
    await bench.control.clearFaults();
    expect(await walkNow(executor)).toMatchObject({ effects: 1, opened: 0 });
    await bench.sql(
      `update tool_operations set status = 'failed_permanent', pending_reason = null, reason = 'decided', case_at = null,
         next_attempt_at = null where operation_key = $1`,
      [key],
    );
    expect(await walkNow(executor)).toMatchObject({ opened: 1 });
    expect(await findings()).toMatchObject([{ kind: 'resolved_otherwise', operation_key: key }]);
  });

  test('a receipt that a person gave and the list does not have is another receipt', async () => {
    const tool = ticketsTool();
    const executor = await bench.executor([tool]);
    const context = step();
    const key = keyOf(context);
    const reference = await applied(executor, tool, TICKET, context);
    await bench.sql(`update tool_operations set effect_reference = 'ticket_1' where operation_key = $1`, [
      key,
    ]);
    await walkNow(executor);
    expect(await findings()).toMatchObject([
      { kind: 'another_receipt', operation_key: key, reference },
      { kind: 'receipt_missing', operation_key: key, reference: 'ticket_1' },
    ]);
    expect((await bench.row(key))['contradicted_at']).not.toBeNull();
  });
});

describe('[B75] an effect that becomes visible late', () => {
  const effect = (n: number) => ({
    reference: `late_${tenantId}_${n}`,
    downstreamKey: `${tenantId}:production:run:${n}`,
    committedAt: new Date(Date.now() + n).toISOString(),
  });

  test('is still found while newer ones are already visible, and a walk does not begin at the beginning for ever', async () => {
    const asked: (string | null)[] = [];
    const all = [0, 1, 2, 3, 4, 5, 6].map(effect);
    let visible = all.filter((_, n) => n !== 3);
    const tool = listed(ticketsTool(), () => visible, 2, asked);
    const executor = await bench.executor([tool]);
    await executor.execute(tool.contract.name, TICKET, step());
    expect(await walkNow(executor)).toMatchObject({ effects: 6, pages: 3 });
    await walkNow(executor); // a second later the cursor of the last page would be taken
    visible = all;
    await walkNow(executor);
    expect((await findings()).map(({ reference }) => reference)).toContain(all[3]?.reference);
    expect(await findings()).toHaveLength(7);

    await passWalk(600);
    await walkNow(executor);
    asked.length = 0;
    await walkNow(executor);
    expect(asked).toEqual(['6']);
  });
});

describe('any number of walkers', () => {
  test('take each list once, and one that was overtaken writes nothing more', async () => {
    const asked: (string | null)[] = [];
    const tool = listed(ticketsTool(), () => [], 100, asked);
    const executors = await Promise.all(
      [1, 2, 3].map((n) => bench.executor([tool], { worker: `walker-${n}` })),
    );
    await executors[0]?.execute(tool.contract.name, TICKET, step());
    await bench.sql(`update provider_walks set next_walk_at = 'infinity'`);
    await Promise.all(executors.map((executor) => executor.walk(200)));
    expect(asked).toEqual([null]);

    const walks = bench.store.walks;
    if (walks === undefined) throw new Error('the store keeps no walks');
    const take = async (worker: string) => {
      await bench.sql('update provider_walks set next_walk_at = clock_timestamp() where tenant_id = $1', [
        tenantId,
      ]);
      const [run] = await walks.take(worker, [{ name: 'tickets.create', environment: 'production' }], 1, 0); // its time is over at once
      if (run === undefined) throw new Error('nothing was due');
      return run;
    };
    const slow = await take('slow');
    const quick = await take('quick');
    const orphan = { reference: 'orphan', downstream_key: null, committed_at: null };
    expect(await walks.storePage(slow, [orphan], null, 30)).toBe(false);
    expect(await walks.end(slow, null, 60)).toBeNull();
    expect(await findings()).toEqual([]);
    expect(await walks.storePage(quick, [orphan], null, 30)).toBe(true);
    expect(await walks.end(quick, null, 60)).toEqual({ opened: 1, closed: 0 });
  });

  test.each([
    ['cannot be asked', () => Promise.reject(new LookupFailed('out of reach'))],
    [
      'shows an effect without a reference',
      async () => ({ effects: [{ reference: '', downstreamKey: null, committedAt: '' }], next: null }),
    ],
    ['goes round in a circle', async () => ({ effects: [], next: 'again' })],
  ])('a list that %s judges nothing, says so, and is walked again', async (_what, listEffects) => {
    const tool = { ...ticketsTool(), listEffects };
    const executor = await bench.executor([tool]);
    const context = step();
    await applied(executor, tool, TICKET, context);
    expect(await walkNow(executor)).toMatchObject({ failed: 1, opened: 0 });
    expect(
      await bench.sql('select failed, completed_at from provider_walks where tenant_id = $1', [tenantId]),
    ).toMatchObject([{ failed: expect.stringMatching(/reach|reference|circle/), completed_at: null }]);
    expect(await findings()).toEqual([]);
    expect(await walkNow(executor)).toMatchObject({ walks: 1, failed: 1 });
  });
});
