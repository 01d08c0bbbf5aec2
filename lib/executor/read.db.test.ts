import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ticketsCreateContract } from '../demo/tools/tickets-create.ts';
import { callHttp, defineContract, defineTool, type ContractInput, type EffectAnswer } from './index.ts';
import {
  authorizations,
  keyOf,
  newStep,
  newVersion,
  openBench,
  permit,
  TICKET,
  type Bench,
} from './testing/bench.ts';

let bench: Bench;
let reads = 0;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());
beforeEach(() => {
  reads = 0;
});

/** Reads one ticket of Deskline, or answers as the test says. */
function reader(change: Partial<ContractInput> = {}, answer?: (signal: AbortSignal) => Promise<unknown>) {
  const { lookup: _l, postcondition: _p, receipt: _r, target_label: _t, ...plain } = ticketsCreateContract;
  const { key_window_seconds: _w, ...downstream } = plain.downstream;
  return defineTool({
    contract: defineContract({
      ...plain,
      name: 'tickets.read',
      version: newVersion(),
      purpose: 'Read one ticket.',
      effect_class: 'read',
      effects: [],
      material: { ticket_id: { rules: [] } },
      downstream: { ...downstream, deduplicates: false },
      replay: { fields: ['id', 'subject'], sensitive: [], max_bytes: 4_096 },
      freshness: 'As it is at the moment of the call.',
      audit_on_read: true,
      ...change,
    }),
    input: z.strictObject({ ticket_id: z.string() }),
    effect: async ({ arguments: args, signal }) => {
      reads += 1;
      if (answer !== undefined) return (await answer(signal)) as EffectAnswer;
      const { status, body } = await callHttp(`${bench.deskline.url}/tickets/${args.ticket_id}`, { signal });
      return status === 200 ? { kind: 'done', answer: body } : { kind: 'refused', code: 'no_such_ticket' };
    },
  });
}

async function filed(): Promise<string> {
  const answer = await callHttp(`${bench.deskline.url}/tickets`, {
    method: 'POST',
    headers: { 'idempotency-key': newStep().stepId },
    body: TICKET,
    signal: AbortSignal.timeout(5_000),
  });
  return String((answer.body as { id: unknown }).id);
}

const AGAIN = { status: 'rejected', reason: 'not_sent', next_action: 'retry_later', safe_to_repeat: true };

describe('a read', () => {
  test('makes no operation and may be repeated: each call reads anew, and returns the replay fields', async () => {
    const executor = await bench.executor([reader()]);
    const [step, id, before] = [newStep(), await filed(), (await bench.control.effects()).tickets.records];
    const rows = await bench.rows();
    for (let i = 0; i < 2; i++)
      expect(await executor.execute('tickets.read', { ticket_id: id }, step)).toMatchObject({
        status: 'applied',
        result: { id, subject: TICKET.subject },
        effect_reference: null,
        repeated: false,
        safe_to_repeat: true,
        next_action: 'none',
      });
    // another target under the same step is no mismatch: nothing was recorded that it could differ from
    const other = await filed();
    expect((await executor.execute('tickets.read', { ticket_id: other }, step)).result).toMatchObject({
      id: other,
    });
    expect(reads).toBe(3);
    expect(await bench.rows()).toBe(rows);
    expect((await bench.control.effects()).tickets.records).toBe(before + 1); // the other ticket
  });

  test('is a row of the trace where its contract says so, without what was read, and none where it does not', async () => {
    const id = await filed();
    for (const audited of [true, false]) {
      const executor = await bench.executor([reader({ audit_on_read: audited })]);
      const step = newStep();
      await executor.execute('tickets.read', { ticket_id: id }, step);
      const events = await bench.events(keyOf(step));
      expect(events.map(({ kind }) => kind)).toEqual(audited ? ['read'] : []);
      expect(JSON.stringify(events)).not.toContain(TICKET.subject);
      if (audited) expect(authorizations(events)).toEqual(['delivery:true', 'effect:true']);
    }
  });

  test.each(['delivery', 'effect'] as const)(
    'is refused to who may not: denied at %s, nothing is read',
    async (phase) => {
      const executor = await bench.executor([reader()], {
        authorize: async (asked) => ({ ...(await permit(asked)), allowed: asked.phase !== phase }),
      });
      const step = newStep();
      expect(await executor.execute('tickets.read', { ticket_id: await filed() }, step)).toMatchObject({
        status: 'rejected',
        reason: 'unauthorized',
        result: null,
      });
      expect(reads).toBe(0);
      expect(await bench.kinds(keyOf(step))).toEqual(['rejected']);
    },
  );

  test('that fails is never in doubt: it may be called again', async () => {
    for (const [answer, expected] of [
      [() => Promise.reject(new Error('down')), AGAIN],
      [() => Promise.resolve({ kind: 'unclear', because: 'x' }), AGAIN],
      [() => Promise.resolve({ kind: 'refused', code: 'x' }), { status: 'rejected', reason: 'refused' }],
    ] as const) {
      const executor = await bench.executor([reader({}, answer)]);
      const rows = await bench.rows();
      expect(await executor.execute('tickets.read', { ticket_id: 'x' }, newStep())).toMatchObject(expected);
      expect(await bench.rows()).toBe(rows);
    }
  });

  test('that ignores its signal ends with the call budget', async () => {
    const { downstream } = reader().contract;
    const executor = await bench.executor([
      reader({ downstream: { ...downstream, call_budget_ms: 100 } }, () => new Promise(() => {})),
    ]);
    expect(await executor.execute('tickets.read', { ticket_id: 'x' }, newStep())).toMatchObject(AGAIN);
  });

  test('whose arguments do not fit is refused before it', async () => {
    const executor = await bench.executor([reader()]);
    expect(await executor.execute('tickets.read', { ticket_id: 7 }, newStep())).toMatchObject({
      status: 'rejected',
      reason: 'invalid_arguments',
    });
    expect(reads).toBe(0);
  });
});
