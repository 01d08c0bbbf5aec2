import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { ticketsClose } from '../demo/tools/tickets-close.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { EffectAnswer, Executor, Outcome, Tool } from './index.ts';
import {
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
import { faultyStore } from './testing/faulty-store.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

/** A delivery whose first attempt sends, hears the answer, and then sleeps until it is woken. */
async function stalled(
  tool: Tool,
  args: unknown,
  change: (answer: EffectAnswer) => EffectAnswer = (answer) => answer,
) {
  const { open, opened } = gate();
  const stalls: Tool = {
    ...tool,
    effect: async (call) => {
      const answer = await tool.effect(call);
      if (call.attempt === 1) await opened;
      return change(answer);
    },
  };
  const step = newStep();
  const key = keyOf(step);
  const slow = await bench.executor([stalls], { worker: 'worker-1' });
  // the same worker name on purpose: a name proves nothing, only the token does
  const other = await bench.executor([tool], { worker: 'worker-1' });
  const outcome = slow.execute(tool.contract.name, args, step);
  await until(async () => (await bench.effects(key)).length > 0, 'the effect');
  return {
    key,
    other,
    redeliver: () => other.execute(tool.contract.name, args, step),
    wake: async (): Promise<Outcome> => {
      open();
      return await outcome;
    },
  };
}

const ticket = (fault?: () => string | undefined) =>
  ticketsCreate({ url: bench.deskline.url, ...(fault && { fault }) }, { version: newVersion() });
const expire = async (executor: Executor, key: string) => {
  await bench.pass(key, 5);
  await executor.recover(200);
};

describe('rule 5: every write carries its token', () => {
  test('[B47] attempt 1, woken after the same worker name took attempt 2, changes nothing at heartbeat, release or save', async () => {
    const call = await stalled(ticket(), TICKET);
    const [first] = await bench.sql(
      'select lease_token from public.tool_operations where operation_key = $1',
      [call.key],
    );
    await expire(call.other, call.key);
    await bench.control.setFaults([{ on: 'lookup', fault: 'drop_before_commit' }]); // so that only sending again is left
    await bench.sql(
      `update public.tool_operations set pending_reason = 'ready', recover_until = null, next_attempt_at = now() where operation_key = $1`,
      [call.key],
    );
    const second = { ...(await bench.row(call.key)), lease_token: '00000000-0000-4000-8000-000000000002' };
    const id = { tenant_id: 'acme', environment: 'production', operation_key: call.key };
    const [acquired] = await bench.store.transition('acquire', [
      {
        ...id,
        lease_token: second.lease_token,
        lease_owner: 'worker-1',
        send: true,
        downstream_request_id: 'r-2',
        trace: {},
      },
    ]);
    expect(acquired?.refusal).toBeNull();
    const before = await bench.row(call.key);

    const token = String(first?.['lease_token']);
    expect(await bench.store.heartbeat([{ ...id, lease_token: token }])).toEqual([false]);
    for (const event of ['release', 'refuse', 'doubt', 'accept', 'apply', 'send'] as const) {
      const [answer] = await bench.store.transition(event, [
        {
          ...id,
          lease_token: token,
          effect_reference: 'stolen',
          provider_job_id: 'job',
          response: null,
          reason: 'refused',
          trace: {},
        },
      ]);
      expect([event, answer?.refusal]).toEqual([event, 'fenced']);
    }
    expect(await bench.row(call.key)).toEqual(before);

    const late = await call.wake();
    await bench.control.clearFaults();
    const [reference] = await bench.effects(call.key);
    expect(late).toMatchObject({ status: 'in_flight', reason: 'leased', effect_reference: null });
    const after = await bench.row(call.key);
    expect(after).toMatchObject({
      status: 'pending',
      pending_reason: 'leased',
      lease_token: second.lease_token,
      attempt: 2,
      evidence: 'found',
    });
    expect(await bench.lookups(call.key)).toMatchObject([
      { source: 'late_answer', answer: 'found', effect_reference: reference, names_attempt: 1 },
    ]);
    expect((await bench.kinds(call.key)).at(-2)).toBe('late_evidence');

    // what was stored while somebody was at work is used when the lease runs out
    await expire(call.other, call.key);
    await call.other.reconcile(200);
    expect(await bench.row(call.key)).toMatchObject({ status: 'applied', effect_reference: reference });
    expect(await bench.effects(call.key)).toHaveLength(1);
  });

  test('[B24] a provider that answers after the lease: the lease’s end is never another send', async () => {
    const call = await stalled(ticket(), TICKET);
    await bench.pass(call.key, 5);
    expect(await call.redeliver()).toMatchObject({
      status: 'in_flight',
      reason: 'recovering',
      safe_to_repeat: false,
    });
    expect(await bench.effects(call.key)).toHaveLength(1);
    expect(await bench.row(call.key)).toMatchObject({
      pending_reason: 'recovering',
      attempt: 1,
      doubt_attempt: 1,
    });
    expect(await bench.kinds(call.key)).toEqual(['claim', 'expire', 'in_flight']);

    const [reference] = await bench.effects(call.key);
    expect(await call.wake()).toMatchObject({ status: 'applied', effect_reference: reference });
    expect(await bench.row(call.key)).toMatchObject({
      status: 'applied',
      effect_reference: reference,
      resolved_by: 'executor',
    });
    expect(await bench.kinds(call.key)).toEqual([
      'claim',
      'expire',
      'in_flight',
      'late_evidence',
      'settle_found',
    ]);
    expect(await call.redeliver()).toMatchObject({ status: 'replayed', effect_reference: reference });
    expect(await bench.effects(call.key)).toHaveLength(1);
  });

  test('[B24] without a lookup the lease’s end is unknown, and the late receipt settles that too', async () => {
    const tool = messagesSend({ url: bench.deskline.url }, { version: newVersion() });
    const call = await stalled(tool, MESSAGE);
    await bench.pass(call.key, 5);
    expect(await call.redeliver()).toMatchObject({
      status: 'unknown',
      reason: 'lease_expired',
      next_action: 'reconcile',
    });
    expect(await bench.effects(call.key)).toHaveLength(1);
    const [reference] = await bench.effects(call.key);
    expect((await call.wake()).status).toBe('applied');
    expect(await bench.row(call.key)).toMatchObject({ status: 'applied', effect_reference: reference });
    expect(await bench.effects(call.key)).toHaveLength(1);
  });

  test('a late refusal is kept and settles nothing', async () => {
    const call = await stalled(ticket(), TICKET, () => ({ kind: 'refused', code: 'late' }));
    await expire(call.other, call.key);
    expect(await call.wake()).toMatchObject({ status: 'in_flight', reason: 'recovering' });
    expect(await bench.row(call.key)).toMatchObject({
      pending_reason: 'recovering',
      evidence: 'refused',
      doubt_attempt: 1,
    });
    expect(await bench.lookups(call.key)).toMatchObject([
      { source: 'late_answer', answer: 'refused', authoritative: false },
    ]);
    const [{ evidence } = {}] = await bench.sql(
      'select app.evidence_fact(o, app.contract_of(o)) as evidence from public.tool_operations o where operation_key = $1',
      [call.key],
    );
    expect(evidence).toBe('refused'); // never conclusive
    await bench.pass(call.key, 5); // the pause after an answer
    await call.other.reconcile(200);
    expect(await bench.row(call.key)).toMatchObject({ status: 'applied' }); // by the lookup, which found it
  });

  test('a late answer that proves nothing is a row of the trace, and no evidence', async () => {
    const call = await stalled(ticket(), TICKET, () => ({ kind: 'unclear', because: 'status 502' }));
    await expire(call.other, call.key);
    expect((await call.wake()).status).toBe('in_flight');
    expect(await bench.lookups(call.key)).toEqual([]);
    expect(await bench.row(call.key)).toMatchObject({ pending_reason: 'recovering', evidence: null });
    const late = (await bench.events(call.key)).find(({ kind }) => kind === 'late_evidence');
    expect(late).toMatchObject({ detail: { attempt: 1, because: 'status 502' } });
  });

  test('a late “done” without a receipt, where none is needed, is found and not a refusal', async () => {
    const wire = { url: bench.deskline.url };
    const create = await bench.executor([ticket()]);
    const made = await create.execute('tickets.create', TICKET, newStep());
    const tool = ticketsClose(wire, { version: newVersion() });
    const args = { ticket_id: made.effect_reference, expected_version: 1 };
    const call = await stalled(tool, args, () => ({ kind: 'done', answer: { status: 'closed' } }));
    await expire(call.other, call.key);
    await call.wake();
    expect(await bench.lookups(call.key)).toMatchObject([
      { source: 'late_answer', answer: 'found', effect_reference: null },
    ]);
    expect(await bench.row(call.key)).toMatchObject({ status: 'applied', contradicted_at: null });
  });

  test('a late receipt after a person said “it did not happen” makes the operation a case again', async () => {
    const call = await stalled(ticket(), TICKET);
    await expire(call.other, call.key);
    await bench.sql(
      `update public.tool_operations set status = 'failed_permanent', pending_reason = null, reason = 'decided', case_at = null,
         recover_until = null, version = version + 1, resolved_by = 'decision:1', next_attempt_at = null where operation_key = $1`,
      [call.key],
    );
    const outcome = await call.wake();
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'decided', repeated: true });
    const row = await bench.row(call.key);
    expect(row).toMatchObject({ status: 'failed_permanent', evidence: 'found' });
    expect(row['contradicted_at']).not.toBeNull();
    expect(row['case_at']).not.toBeNull();
  });

  test('evidence that cannot be stored does not turn an answer into an exception', async () => {
    const { open, opened } = gate();
    const tool: Tool = ticket();
    const store = faultyStore(bench.store);
    const stalls: Tool = {
      ...tool,
      effect: async (call) => {
        const answer = await tool.effect(call);
        await opened;
        return answer;
      },
    };
    const executor = await bench.executor([stalls], { store });
    const step = newStep();
    const outcome = executor.execute('tickets.create', TICKET, step);
    await until(async () => (await bench.effects(keyOf(step))).length === 1);
    await expire(executor, keyOf(step));
    store.break('recordEvidence', 'fail');
    open();
    expect(await outcome).toMatchObject({ status: 'in_flight', reason: 'recovering' });
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  });
});
