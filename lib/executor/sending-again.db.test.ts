import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ticketsClose } from '../demo/tools/tickets-close.ts';
import { ticketsCreate, ticketsCreateContract } from '../demo/tools/tickets-create.ts';
import { isAllowed } from '../domain/transitions.ts';
import { allowedActions } from '../domain/verdict.ts';
import type { ContractInput, EffectAnswer, Tool } from './index.ts';
import { keyOf, newStep, newVersion, openBench, TICKET, type Bench } from './testing/bench.ts';
import { sampleTool } from './testing/sample-tool.ts';

let bench: Bench;
let fault: string | undefined;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());
beforeEach(() => {
  fault = undefined;
});
afterEach(async () => {
  await bench.control.setConfig({ tickets: { honours_key: true, down: false } });
});

const ticket = (change: Partial<ContractInput> = {}): Tool =>
  ticketsCreate({ url: bench.deskline.url, fault: () => fault }, { version: newVersion(), ...change });

async function started(tool: Tool, args: unknown = TICKET) {
  const step = newStep();
  const executor = await bench.executor([tool]);
  return {
    key: keyOf(step),
    executor,
    deliver: (given: unknown = args) => executor.execute(tool.contract.name, given, step),
    reconcile: async () => {
      await bench.pass(keyOf(step), 3); // the pause between two questions
      return await executor.reconcile(200);
    },
  };
}

describe('resend', () => {
  test('keyed and within the key window: the same key is sent again, and one effect comes of it', async () => {
    fault = 'hang'; // committed, and its lookup is asked before quiet time: the index is behind
    await bench.control.setConfig({ tickets: { index_lag_ms: 3_600_000 } });
    const call = await started(
      ticket({
        downstream: { ...ticketsCreateContract.downstream, call_budget_ms: 800, settle_seconds: 600 },
      }),
    );
    await call.deliver();
    expect(await call.reconcile()).toMatchObject({ resend: 1 });
    expect(await bench.row(call.key)).toMatchObject({
      pending_reason: 'ready',
      doubt_attempt: 1,
      attempt: 1,
    });
    fault = undefined;
    await bench.pass(call.key, 3);
    const outcome = await call.deliver();
    const [reference] = await bench.effects(call.key);
    expect(outcome).toMatchObject({ status: 'applied', attempt: 2, effect_reference: reference });
    expect(await bench.effects(call.key)).toHaveLength(1);
    expect(await bench.row(call.key)).toMatchObject({
      downstream_key: call.key,
      doubt_attempt: null,
      sent_attempt: 2,
    });
    expect(await bench.kinds(call.key)).toEqual([
      'claim',
      'doubt',
      'looked_up',
      'resend',
      'acquire',
      'apply',
    ]);
    await bench.control.setConfig({ tickets: { index_lag_ms: 0 } });
  });

  test('first_sent_at stays the first one, so that the key window is counted from it', async () => {
    fault = 'drop_before_commit';
    const call = await started(ticket());
    await call.deliver();
    const { first_sent_at: first } = await bench.row(call.key);
    await call.reconcile();
    await bench.pass(call.key, 3);
    await call.deliver();
    const row = await bench.row(call.key);
    expect(row['attempt']).toBe(2);
    expect(new Date(String(row['sent_at'])).getTime()).toBeGreaterThan(
      new Date(String(row['first_sent_at'])).getTime(),
    );
    expect(new Date(String(first)).getTime() - new Date(String(row['first_sent_at'])).getTime()).toBe(6_000); // as time passed here
    expect(row['doubt_attempt']).toBe(1);
  });

  test('never with the key window shut: a key that the downstream has forgotten would be a new effect', async () => {
    fault = 'commit_then_drop';
    const call = await started(
      ticket({
        downstream: { ...ticketsCreateContract.downstream, settle_seconds: 600, key_window_seconds: 700 },
        lookup: { ...ticketsCreateContract.lookup, deadline_seconds: 3_600 },
      }),
    );
    await call.deliver();
    await bench.control.setConfig({ tickets: { index_lag_ms: 3_600_000 } });
    await bench.pass(call.key, 120); // beyond 700 − budget − settle, and too early for a conclusive absence
    expect(await call.reconcile()).toEqual({ asked: 1 });
    await bench.control.setConfig({ tickets: { index_lag_ms: 0 } });
    const row = await bench.row(call.key);
    expect(row).toMatchObject({ pending_reason: 'recovering', evidence: 'absent' });

    // and the database says so by itself, to a worker that had read it as open
    const id = { tenant_id: 'acme', environment: 'production', operation_key: call.key, trace: {} };
    const read = { version: Number(row['version']), attempt: Number(row['attempt']) };
    expect(await bench.store.transition('resend', [{ ...id, ...read }])).toMatchObject([
      { refusal: 'not_allowed' },
    ]);
    await bench.sql(
      `update public.tool_operations set pending_reason = 'ready', next_attempt_at = now() where operation_key = $1`,
      [call.key],
    );
    const token = {
      lease_token: randomUUID(),
      lease_owner: 'worker-1',
      send: true,
      downstream_request_id: 'r-2',
    };
    expect(await bench.store.transition('acquire', [{ ...id, ...token }])).toMatchObject([
      { refusal: 'not_allowed' },
    ]);
    expect(await bench.effects(call.key)).toHaveLength(1);
  });

  test('[B46] an unknown operation whose key the provider may have forgotten is not sent again by anybody', async () => {
    fault = 'commit_then_drop';
    const call = await started(
      ticket({ lookup: { ...ticketsCreateContract.lookup, authoritative: false, deadline_seconds: 60 } }),
    );
    await call.deliver();
    await bench.pass(call.key, 25 * 3_600);
    expect(await call.reconcile()).toMatchObject({ give_up: 1 });
    expect(await call.deliver()).toMatchObject({
      status: 'unknown',
      next_action: 'reconcile',
      safe_to_repeat: false,
    });

    const id = { tenant_id: 'acme', environment: 'production', operation_key: call.key };
    const [record] = await bench.store.read([id]);
    if (record === null || record === undefined) throw new Error('no operation');
    expect(record.facts.keyWindow).toBe('shut');
    // the page's rules: nothing that sends is among the actions, and asking is
    expect(isAllowed('resend', record.facts)).toBe(false);
    expect(Object.keys(allowedActions(record.facts, ['operator']))).toEqual([
      'look_up',
      'applied',
      'failed_permanent',
      'approved_new_key',
    ]);
    expect(allowedActions(record.facts, ['operator']).look_up.allowed).toBe(true);
    // the server's rules: the database refuses to send again whoever asks
    const row = { ...id, version: record.version, attempt: record.attempt, trace: {} };
    expect(await bench.store.transition('resend', [row])).toMatchObject([{ refusal: 'not_allowed' }]);
    // and it is the window that refuses: the same operation within it may be sent again, but for its deadline
    const within = { ...record.facts, keyWindow: 'open', recoverPassed: false, evidence: 'absent' } as const;
    expect(isAllowed('resend', within)).toBe(true);
    expect(isAllowed('resend', { ...within, keyWindow: 'shut' })).toBe(false);
    expect(await bench.effects(call.key)).toHaveLength(1);
  });

  test('once ready in doubt, a window that shuts ends it as unknown, and nothing is sent', async () => {
    fault = 'drop_before_commit';
    const call = await started(ticket());
    await call.deliver();
    expect(await call.reconcile()).toMatchObject({ resend: 1 });
    fault = undefined;
    await bench.pass(call.key, 86_400 - 2);
    expect(await call.deliver()).toMatchObject({ status: 'in_flight', reason: 'recovering' });
    expect(await call.executor.reconcile(200)).toMatchObject({ give_up: 1 });
    expect(await call.deliver()).toMatchObject({ status: 'unknown', reason: 'recovery_exhausted' });
    expect(await bench.row(call.key)).toMatchObject({ status: 'unknown', attempt: 1, doubt_attempt: 1 });
    expect(await bench.effects(call.key)).toEqual([]);
  });

  test('ready in doubt, an effect that is found meanwhile is applied and not sent again', async () => {
    fault = 'commit_then_drop';
    const call = await started(ticket());
    await call.deliver();
    const [reference] = await bench.effects(call.key);
    await bench.sql(
      `update public.tool_operations set pending_reason = 'ready', next_attempt_at = now() where operation_key = $1`,
      [call.key],
    );
    await bench.store.recordEvidence([
      {
        tenant_id: 'acme',
        environment: 'production',
        operation_key: call.key,
        source: 'lookup',
        asked_by: 'user:1',
        authoritative: true,
        answer: 'found',
        effect_reference: reference ?? '',
        summary: 'x',
        trace: {},
      },
    ]);
    expect(await call.deliver()).toMatchObject({ status: 'in_flight', reason: 'recovering' });
    expect(await call.executor.reconcile(200)).toMatchObject({ settle_found: 1 });
    expect(await call.deliver()).toMatchObject({ status: 'replayed', effect_reference: reference });
    expect(await bench.effects(call.key)).toHaveLength(1);
  });

  test('ready in doubt and still sendable is left to its delivery', async () => {
    fault = 'drop_before_commit';
    const call = await started(ticket());
    await call.deliver();
    await call.reconcile();
    const before = await bench.row(call.key);
    expect(await call.executor.reconcile(200)).toEqual({ asked: 0 });
    expect(await bench.row(call.key)).toEqual(before);
  });

  test('of an absolute effect goes with its version condition, and keeps a person’s change in between', async () => {
    const made = await (await started(ticket())).deliver();
    const tool = ticketsClose({ url: bench.deskline.url, fault: () => fault }, { version: newVersion() });
    const call = await started(tool, { ticket_id: made.effect_reference, expected_version: 1 });
    fault = 'drop_before_commit';
    await call.deliver();
    expect(await call.reconcile()).toMatchObject({ resend: 1 });
    fault = undefined;
    await bench.pass(call.key, 3);
    expect(await call.deliver()).toMatchObject({ status: 'applied', attempt: 2 });
    expect(await bench.effects(call.key)).toHaveLength(1);
  });

  test('never for a tool that neither deduplicates nor states a version condition', async () => {
    let sends = 0;
    const call = await started(
      sampleTool(() => {
        sends += 1;
        return { kind: 'unclear', because: 'x' };
      }),
      { value: 1 },
    );
    expect(await call.deliver()).toMatchObject({ status: 'unknown', reason: 'unreadable_answer' });
    await bench.pass(call.key, 3_600);
    await call.executor.recover(200);
    await call.executor.reconcile(200);
    expect(await call.deliver()).toMatchObject({ status: 'unknown' });
    expect(sends).toBe(1);
  });
});

describe('rule 3: doubt is sticky', () => {
  const again = async (second: EffectAnswer['kind'] | 'denied' | 'not_sent') => {
    const answers: Record<string, EffectAnswer> = {
      refused: { kind: 'refused', code: 'x' },
      not_now: { kind: 'not_now', retryAfterSeconds: 1 },
      in_progress: { kind: 'in_progress' },
    };
    const tool = ticket();
    const changing: Tool = {
      ...tool,
      effect: async (sent) =>
        sent.attempt === 1 ? await tool.effect(sent) : (answers[second] ?? { kind: 'unclear', because: 'x' }),
    };
    let allowed = true;
    const step = newStep();
    const executor = await bench.executor([changing], {
      authorize: async ({ phase }) => ({
        allowed: allowed || phase !== 'effect',
        policyVersion: '1',
        permanent: true,
      }),
    });
    fault = 'drop_before_commit';
    await executor.execute('tickets.create', TICKET, step);
    await bench.pass(keyOf(step), 3);
    expect(await executor.reconcile(200)).toMatchObject({ resend: 1 });
    await bench.pass(keyOf(step), 3);
    allowed = second !== 'denied';
    return { key: keyOf(step), outcome: await executor.execute('tickets.create', TICKET, step) };
  };

  test.each(['refused', 'not_now', 'in_progress', 'unclear'] as const)(
    'a later answer of %s leaves the earlier doubt',
    async (second) => {
      const { key, outcome } = await again(second);
      expect(outcome).toMatchObject({
        status: 'in_flight',
        reason: 'recovering',
        safe_to_repeat: false,
        attempt: 2,
      });
      expect(await bench.row(key)).toMatchObject({
        status: 'pending',
        pending_reason: 'recovering',
        doubt_attempt: 1,
      });
      expect((await bench.kinds(key)).slice(-2)).toEqual(['acquire', 'doubt']);
    },
  );

  test('a later denial, though final, leaves the earlier doubt, and tells the caller nothing of it', async () => {
    const { key, outcome } = await again('denied');
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: 'unauthorized',
      effect_reference: null,
      safe_to_repeat: false,
    });
    expect(await bench.row(key)).toMatchObject({
      status: 'pending',
      pending_reason: 'recovering',
      doubt_attempt: 1,
      lease_token: null,
    });
    expect((await bench.kinds(key)).slice(-2)).toEqual(['acquire', 'doubt']);
  });
});

describe('attempts', () => {
  test('that are spent are a person’s work, and nothing more is sent', async () => {
    fault = 'not_now=1';
    const call = await started(ticket({ attempts: { max: 2, backoff_seconds: 1 } }));
    for (const attempt of [1, 2]) {
      expect(await call.deliver()).toMatchObject({ reason: 'not_sent', attempt });
      await bench.pass(call.key, 3);
    }
    fault = undefined;
    expect(await call.deliver()).toMatchObject({
      status: 'rejected',
      reason: 'attempts_spent',
      next_action: 'inspect_operation',
      safe_to_repeat: false,
    });
    expect(await bench.effects(call.key)).toEqual([]);
    const [{ due } = {}] = await bench.sql(
      'select case_at <= now() as due from public.tool_operations where operation_key = $1',
      [call.key],
    );
    expect(due).toBe(true);
  });

  test('that are spent in doubt end as unknown at the deadline', async () => {
    fault = 'drop_before_commit';
    const call = await started(
      ticket({
        attempts: { max: 1, backoff_seconds: 1 },
        downstream: { ...ticketsCreateContract.downstream, settle_seconds: 600 },
      }),
    );
    await call.deliver();
    expect((await call.reconcile()).resend).toBeUndefined();
    await bench.pass(call.key, 60);
    expect(await call.executor.reconcile(200)).toMatchObject({ give_up: 1 });
    expect(await call.deliver()).toMatchObject({ status: 'unknown' });
  });

  test('wait their backoff, and each is one more', async () => {
    fault = 'not_now';
    const call = await started(ticket());
    await call.deliver();
    expect(await call.deliver()).toMatchObject({ status: 'in_flight', reason: 'scheduled', attempt: 1 });
    await bench.pass(call.key, 10);
    expect(await call.deliver()).toMatchObject({ reason: 'not_sent', attempt: 2 });
  });
});

test('raw arguments that differ where the contract sees no difference are one request, also when they are sent again', async () => {
  fault = 'commit_then_drop';
  const call = await started(ticket());
  await call.deliver();
  await bench.control.setFaults([{ on: 'lookup', fault: 'error_before_commit' }]);
  await bench.control.clearFaults();
  expect(await call.deliver({ ...TICKET, subject: ` ${TICKET.subject} ` })).toMatchObject({
    status: 'in_flight',
  });
  await bench.sql(
    `update public.tool_operations set pending_reason = 'ready', next_attempt_at = now() where operation_key = $1`,
    [call.key],
  );
  fault = undefined;
  // Deskline compares bytes: it says that the key came with another request, which is no refusal of this one
  expect(await call.deliver({ ...TICKET, subject: ` ${TICKET.subject}` })).toMatchObject({
    status: 'in_flight',
    reason: 'recovering',
  });
  await bench.pass(call.key, 3);
  await call.executor.reconcile(200);
  expect((await bench.row(call.key))['effect_reference']).toBe((await bench.effects(call.key))[0]);
  expect(await bench.effects(call.key)).toHaveLength(1);
});
