import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { paymentsCharge } from '../demo/tools/payments-charge.ts';
import { refundsCreate } from '../demo/tools/refunds-create.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { ContractInput, Executor, OperationContext, Store, Tool } from './index.ts';
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

/**
 * Seeded walks over the real executor, database and downstream: deliveries, faults, workers that vanish, time that
 * passes, recover and reconcile, in any order. Whatever happens, one key has at most one effect where the contract
 * lets anything be sent again, and `applied` is never said without an effect.
 */
const WALKS = 40;
const STEPS = 14;
const VANISHED = new Error('this worker is gone');

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

/** mulberry32: the same seed is the same walk. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const FAULTS = [
  'none',
  'none',
  'commit_then_drop',
  'drop_before_commit',
  'error_after_commit',
  'error_before_commit',
  'gateway_timeout_after_commit',
  'truncated_body',
  'incomplete_body',
  'wrong_receipt',
  'refuse',
  'not_now',
];

/** Settle windows that these faults keep, and attempts enough to walk on. */
const plain: Partial<ContractInput> = {
  name: 'tickets.plain',
  downstream: {
    connector: 'deskline.tickets',
    key: 'operation_key',
    call_budget_ms: 3_000,
    settle_seconds: 1,
    own_retries_off: true,
    deduplicates: false,
  },
  attempts: { max: 6, backoff_seconds: 1 },
};

type Walked = { name: string; tool: Tool; args: unknown };

function tools(fault: () => string): Walked[] {
  const wire = { url: bench.deskline.url, fault };
  const more = { version: newVersion(), attempts: { max: 6, backoff_seconds: 1 } };
  return [
    { name: 'keyed', tool: ticketsCreate(wire, more), args: TICKET },
    { name: 'looked up', tool: ticketsCreate(wire, { ...plain, version: newVersion() }), args: TICKET },
    {
      name: 'refund',
      tool: refundsCreate(wire, more),
      args: { payment_id: 'pay_1', amount: 100, currency: 'EUR', reason: 'twice' },
    },
    { name: 'advisory', tool: paymentsCharge(wire, more), args: PAYMENT },
    { name: 'blind', tool: messagesSend(wire, { ...more }), args: MESSAGE },
  ];
}

/** A worker that may vanish: its tool or its record never comes back, as after kill -9. */
function mortal(
  tool: Tool,
  dies: () => 'before_send' | 'after_send' | 'before_record' | null,
): { tool: Tool; store: Store } {
  let dead = false;
  const vanish = (): Promise<never> => {
    dead = true;
    throw VANISHED;
  };
  const alive = <T>(work: () => Promise<T>): Promise<T> => (dead ? Promise.reject(VANISHED) : work());
  return {
    tool: {
      ...tool,
      effect: async (call) => {
        const death = dies();
        if (death === 'before_send') return await vanish();
        const answer = await tool.effect(call);
        if (death === 'after_send') return await vanish();
        if (death === 'before_record') dead = true;
        return answer;
      },
    },
    store: {
      ...bench.store,
      transition: (event, rows) => alive(() => bench.store.transition(event, rows)),
      recordEvidence: (rows) => alive(() => bench.store.recordEvidence(rows)),
      addEvents: (rows) => alive(() => bench.store.addEvents(rows)),
      heartbeat: (rows) => alive(() => bench.store.heartbeat(rows)),
    },
  };
}

/** No pause between the tries of a worker whose database is gone. */
const hurried = {
  now: () => performance.now(),
  after: (ms: number, call: () => void) => {
    const timer = setTimeout(call, ms > 1_000 && ms < 2_000 ? 1 : ms > 300 && ms < 500 ? 1 : ms);
    return () => clearTimeout(timer);
  },
};

async function walk(seed: number): Promise<{ states: string[]; effects: number }> {
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  let fault = 'none';
  const walked = pick(tools(() => fault));
  const step = newStep({ workflowId: `walk_${seed}` });
  const key = keyOf(step);
  const held: Executor = await bench.executor([walked.tool], { clock: hurried });
  const trail: string[] = [`seed ${seed}: ${walked.name}`];
  const states: string[] = [];
  const deliver = async (context: OperationContext) => {
    fault = pick(FAULTS);
    const death = random() < 0.3 ? pick(['before_send', 'after_send', 'before_record'] as const) : null;
    trail.push(`deliver ${fault}${death === null ? '' : `, dies ${death}`}`);
    const { tool, store } = mortal(walked.tool, () => death);
    const executor = await bench.executor([tool], { store, clock: hurried });
    const outcome = await executor.execute(walked.tool.contract.name, walked.args, context);
    trail.push(`  ${outcome.status}/${outcome.reason}`);
    if (outcome.status === 'applied' || outcome.status === 'replayed')
      expect(await bench.effects(key), trail.join('\n')).toContain(outcome.effect_reference);
  };

  for (let n = 0; n < STEPS; n++) {
    const action = n === 0 ? 0 : random();
    if (action < 0.35) await deliver(step);
    else if (action < 0.45) await Promise.all([deliver(step), deliver(step)]);
    else if (action < 0.65) {
      const seconds = pick([1, 4, 8, 30]);
      trail.push(`${seconds} s pass`);
      await bench.pass(key, seconds);
    } else if (action < 0.8) {
      trail.push('recover');
      await held.recover(500);
    } else {
      fault = 'none';
      if (random() < 0.2)
        await bench.control.setFaults([
          {
            on: 'lookup',
            fault: pick(['error_before_commit', 'incomplete_body', 'wrong_receipt']),
            key_prefix: key,
          },
        ]);
      const report = await held.reconcile(500);
      await bench.control.clearFaults();
      trail.push(`reconcile ${JSON.stringify(report)}`);
    }
    const row = await bench.row(key);
    const effects = await bench.effects(key);
    states.push(`${String(row['status'])}/${String(row['pending_reason'])}`);
    expect(effects.length, trail.join('\n')).toBeLessThanOrEqual(1);
    if (row['status'] === 'applied') expect(effects, trail.join('\n')).toEqual([row['effect_reference']]);
    if (row['status'] === 'failed_permanent') expect(effects, trail.join('\n')).toEqual([]);
    if (effects.length > 0 && row['status'] === 'pending' && row['pending_reason'] !== 'leased')
      expect(row['doubt_attempt'], trail.join('\n')).not.toBeNull();
  }
  return { states, effects: (await bench.effects(key)).length };
}

describe('any order of deliveries, faults, deaths, time and reconciliation', () => {
  const seen = new Set<string>();
  test.each(Array.from({ length: WALKS }, (_, i) => 20_260_818 + i))(
    'seed %i: at most one effect, and never applied with none',
    async (seed) => {
      const { states, effects } = await walk(seed);
      expect(effects).toBeLessThanOrEqual(1);
      for (const state of states) seen.add(state);
    },
  );

  test('the walks reach every state that they are about', () => {
    for (const state of [
      'applied/null',
      'failed_permanent/null',
      'unknown/null',
      'pending/ready',
      'pending/recovering',
      'pending/leased',
    ])
      expect([...seen]).toContain(state);
  });
});
