import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { executorSql } from '../../db/client.ts';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { refundsCreate } from '../demo/tools/refunds-create.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import { postgresStore, type ContractInput, type OperationContext, type Tool } from './index.ts';
import {
  expectNothingRevealed,
  gate,
  keyOf,
  MESSAGE,
  newStep,
  newVersion,
  openBench,
  TICKET,
  until,
  type Bench,
} from './testing/bench.ts';

let bench: Bench;
let fault: string | undefined;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());
beforeEach(() => {
  fault = undefined;
});

/** A step for which the workflow names no new reason. */
const withoutReason = (change: Partial<OperationContext> = {}): OperationContext => {
  const { intentEvent: _event, ...step } = newStep(change);
  return step;
};

/** A tool of its own for each test, so that nothing else is a sibling. */
async function started(change: Partial<ContractInput> = {}) {
  const name = `tickets.t${newVersion().replace(/\D/g, '')}`;
  const tool: Tool = ticketsCreate({ url: bench.deskline.url, fault: () => fault }, { name, ...change });
  const executor = await bench.executor([tool]);
  return {
    tool,
    executor,
    deliver: (step: OperationContext, args: unknown = TICKET) => executor.execute(name, args, step),
  };
}

async function expectRefused(
  deliver: (step: OperationContext) => ReturnType<Awaited<ReturnType<typeof started>>['deliver']>,
  step = withoutReason(),
) {
  const rows = await bench.rows();
  const outcome = await deliver(step);
  expect(outcome).toMatchObject({
    status: 'rejected',
    reason: 'sibling',
    next_action: 'ask_for_approval',
    safe_to_repeat: false,
  });
  expectNothingRevealed({ ...outcome });
  expect(await bench.effects(keyOf(step))).toEqual([]);
  expect(await bench.rows()).toBe(rows);
  return { outcome, step };
}

async function expectApplied(
  deliver: (step: OperationContext) => ReturnType<Awaited<ReturnType<typeof started>>['deliver']>,
  step: OperationContext,
) {
  expect((await deliver(step)).status).toBe('applied');
  expect(await bench.effects(keyOf(step))).toHaveLength(1);
}

test('[B03] equal arguments never merge two operations: two intended refunds are two, and a repeat of one is none', async () => {
  const refund = refundsCreate({ url: bench.deskline.url }, { version: newVersion() });
  const executor = await bench.executor([refund]);
  const args = { payment_id: 'pay_1', amount: 1_000, currency: 'EUR', reason: 'Damaged.' };
  const [first, second] = [newStep(), newStep()];
  const outcomes = [];
  for (const step of [first, second, second])
    outcomes.push(await executor.execute('refunds.create', args, step));
  expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied', 'replayed']);
  expect(outcomes[1]?.effect_reference).not.toBe(outcomes[0]?.effect_reference);
  expect(await bench.effects(keyOf(first))).toEqual([outcomes[0]?.effect_reference]);
  expect(await bench.effects(keyOf(second))).toEqual([outcomes[2]?.effect_reference]);
});

test('[S45] of concurrent claims of one request under many keys without an intent event one is claimed', async () => {
  const { tool } = await started({ sibling_window_seconds: 3_600 });
  const executors = await Promise.all(
    ['a', 'b', 'c', 'd'].map((worker) =>
      bench.executor([tool], {
        worker,
        store: postgresStore(executorSql(bench.database.urls.executor, { applicationName: worker })),
      }),
    ),
  );
  for (let round = 0; round < 12; round++) {
    const steps = executors.map(() => withoutReason());
    const args = { ...TICKET, body: `Round ${round}.` };
    const outcomes = await Promise.all(
      executors.map((executor, i) => executor.execute(tool.contract.name, args, steps[i] ?? newStep())),
    );
    const said = outcomes.map(({ status, reason }) => reason ?? status).toSorted();
    expect(said).toEqual(['applied', 'sibling', 'sibling', 'sibling']);
    const effects = await Promise.all(steps.map((step) => bench.effects(keyOf(step))));
    expect(effects.flat()).toHaveLength(1);
  }
});

describe('on_sibling asks for a new intent event', () => {
  test('while the other is pending: it is not named, and the refusal is traced', async () => {
    const { opened, open } = gate();
    const { tool, deliver } = await started();
    const holding = await bench.executor([
      { ...tool, effect: async (call) => (await opened, await tool.effect(call)) },
    ]);
    const first = newStep();
    const running = holding.execute(tool.contract.name, TICKET, first);
    await until(async () => (await bench.kinds(keyOf(first))).includes('claim'));
    const { outcome, step } = await expectRefused(deliver);
    expect(JSON.stringify(outcome)).not.toContain(first.stepId);
    const [event] = await bench.events(keyOf(step));
    expect(event).toMatchObject({ kind: 'rejected', detail: { reason: 'sibling' } });
    expect(JSON.stringify(event)).not.toContain(first.stepId);
    await expectApplied(deliver, newStep());
    open();
    expect((await running).status).toBe('applied');
    expect(await bench.effects(keyOf(first))).toHaveLength(1);
  });

  test('while it waits for an approval', async () => {
    const { deliver } = await started({
      decision: 'automate_with_approval',
      approval: { valid_seconds: 300 },
    });
    expect((await deliver(newStep())).reason).toBe('approval_required');
    await expectRefused(deliver);
  });

  test('while it is unknown', async () => {
    const name = `messages.t${newVersion().replace(/\D/g, '')}`;
    const executor = await bench.executor([
      messagesSend({ url: bench.deskline.url, fault: () => fault }, { name }),
    ]);
    const deliver = (step: OperationContext) => executor.execute(name, MESSAGE, step);
    fault = 'commit_then_drop';
    expect((await deliver(newStep())).status).toBe('unknown');
    fault = undefined;
    await expectRefused(deliver);
    await expectApplied(deliver, newStep());
  });

  test('while it is contradicted', async () => {
    const { deliver } = await started();
    const first = newStep();
    await expectApplied(deliver, first);
    await bench.store.recordEvidence([
      {
        tenant_id: 'acme',
        environment: 'production',
        operation_key: keyOf(first),
        source: 'lookup',
        asked_by: 'system:reconcile x',
        answer: 'found',
        authoritative: true,
        effect_reference: 'ticket_7',
        summary: 'Deskline shows ticket_7.',
        trace: {},
      },
    ]);
    await expectRefused(deliver);
  });

  test('while it was applied within the contract’s window, and not after it', async () => {
    const { deliver } = await started({ sibling_window_seconds: 600 });
    const first = newStep();
    await expectApplied(deliver, first);
    await expectRefused(deliver);
    await bench.pass(keyOf(first), 601);
    await expectApplied(deliver, withoutReason());
  });

  test('not where the other was applied and the contract has no window, nor where it did not happen', async () => {
    const { deliver } = await started();
    fault = 'refuse';
    expect((await deliver(withoutReason())).reason).toBe('refused');
    fault = undefined;
    await expectApplied(deliver, withoutReason());
    await expectApplied(deliver, withoutReason());
  });

  test('not for another request, tool, environment or tenant', async () => {
    const { deliver } = await started({ sibling_window_seconds: 600 });
    await expectApplied(deliver, newStep());
    await expectApplied((step) => deliver(step, { ...TICKET, body: 'Another.' }), withoutReason());
    await expectApplied(deliver, withoutReason({ environment: 'staging' }));
    await expectApplied(deliver, withoutReason({ tenantId: 'globex' }));
    const other = await started({ sibling_window_seconds: 600 });
    await expectApplied(other.deliver, withoutReason());
    await expectRefused(deliver);
  });
});

test('one intent event is one reason: it lets a second key through once', async () => {
  const { deliver } = await started({ sibling_window_seconds: 600 });
  const asked = newStep();
  await expectApplied(deliver, asked);
  await expectRefused(deliver, newStep({ intentEvent: asked.intentEvent ?? '' }));
  const again = newStep();
  await expectApplied(deliver, again);
  await expectRefused(deliver, newStep({ intentEvent: again.intentEvent ?? '' }));
  expect((await deliver(asked)).status).toBe('replayed'); // its own step is a repeat, not a sibling
});

test('always asks for it without any sibling, never does not ask at all', async () => {
  const always = await started({ require_intent: 'always' });
  await expectRefused(always.deliver);
  await expectApplied(always.deliver, newStep());
  const never = await started({ require_intent: 'never' });
  const opened = gate();
  const holding = await bench.executor([
    { ...never.tool, effect: async (call) => (await opened.opened, await never.tool.effect(call)) },
  ]);
  const first = withoutReason();
  const running = holding.execute(never.tool.contract.name, TICKET, first);
  await until(async () => (await bench.kinds(keyOf(first))).includes('claim'));
  await expectApplied(never.deliver, withoutReason());
  opened.open();
  expect((await running).status).toBe('applied');
});

test('the successor that a person approved passes without an event', async () => {
  const { deliver } = await started({ require_intent: 'always', attempts: { max: 1, backoff_seconds: 1 } });
  const step = newStep();
  fault = 'not_now';
  expect((await deliver(step)).reason).toBe('not_sent');
  fault = undefined;
  await bench.pass(keyOf(step), 10);
  const [user] = await bench.sql(
    `with u as (insert into public.users (name) values ('Ines Okafor') returning user_id)
     insert into public.grants (tenant_id, environment, user_id, role, granted_by)
     select 'acme', 'production', user_id, 'operator', 'test' from u returning user_id`,
  );
  const { version } = await bench.row(keyOf(step));
  const person = new Client({ connectionString: bench.database.urls.console });
  await person.connect();
  await person.query(
    `select app.decide($1, 'acme', 'production', $2, $3, $4, 'approved_new_key', 'Checked.', null, '{}')`,
    [user?.['user_id'], keyOf(step), version, randomUUID()],
  );
  await person.end();
  const { intentEvent: _event, ...plain } = step;
  const outcome = await deliver({ ...plain, successorKey: `${keyOf(step)}!1` });
  expect(outcome.status).toBe('applied');
  expect(await bench.effects(`${keyOf(step)}!1`)).toHaveLength(1);
  expect(await bench.effects(keyOf(step))).toEqual([]);
});
