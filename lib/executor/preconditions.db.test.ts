import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ticketsClose } from '../demo/tools/tickets-close.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import {
  defineContract,
  defineTool,
  type ContractInput,
  type OperationContext,
  type PreconditionAnswer,
  type Tool,
} from './index.ts';
import { keyOf, newStep, newVersion, openBench, permit, TICKET, type Bench } from './testing/bench.ts';
import { faultyStore } from './testing/faulty-store.ts';

let bench: Bench;
/** What was asked, and sent, in order. */
let order: string[];
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());
beforeEach(() => {
  order = [];
});

const wire = () => ({
  url: bench.deskline.url,
  fault: () => {
    order.push('sent');
    return undefined;
  },
});

type Ask = () => unknown;

/** A ticket whose queue must be open. */
function guarded(ask: Ask, change: Partial<ContractInput> = {}): Tool {
  const { contract: plain, ...tool }: Tool = ticketsCreate(wire(), { version: newVersion(), ...change });
  const answered = async () => {
    order.push('queue_open');
    return (await ask()) as PreconditionAnswer;
  };
  return defineTool({
    ...tool,
    contract: defineContract({ ...plain, preconditions: { queue_open: 'The queue takes tickets.' } }),
    preconditions: { queue_open: answered },
  });
}

async function delivered(tool: Tool, args: unknown = TICKET, step: OperationContext = newStep()) {
  const executor = await bench.executor([tool], {
    authorize: async (question) => {
      order.push(question.phase);
      return await permit(question);
    },
  });
  const outcome = await executor.execute(tool.contract.name, args, step);
  return { outcome, step, key: keyOf(step), executor };
}

const checks = async (key: string) =>
  (await bench.events(key))
    .flatMap(({ steps }) => steps as { step: string; detail?: { check?: string } }[])
    .filter(({ step, detail }) => step === 'validated' && detail?.check !== undefined)
    .map(({ detail }) => detail);

describe('a precondition', () => {
  test('that holds is asked between the second authorization and the effect, and is in the trace', async () => {
    const { outcome, key } = await delivered(guarded(() => ({ holds: true })));
    expect(outcome.status).toBe('applied');
    expect(await bench.effects(key)).toHaveLength(1);
    expect(order).toEqual(['delivery', 'effect', 'queue_open', 'sent']);
    expect(await checks(key)).toEqual([{ check: 'queue_open', holds: true }]);
  });

  test('that does not hold now releases, and the same call succeeds once it does', async () => {
    let isOpen = false;
    const tool = guarded(() => (isOpen ? { holds: true } : { holds: false, permanent: false }));
    const first = await delivered(tool);
    expect(first.outcome).toMatchObject({
      status: 'rejected',
      reason: 'not_sent',
      next_action: 'retry_later',
      safe_to_repeat: true,
    });
    expect(order).not.toContain('sent');
    expect(await bench.effects(first.key)).toEqual([]);
    expect(await bench.row(first.key)).toMatchObject({ pending_reason: 'ready', doubt_attempt: null });
    expect(await checks(first.key)).toEqual([{ check: 'queue_open', holds: false }]);
    isOpen = true;
    await bench.pass(first.key, 10);
    expect((await delivered(tool, TICKET, first.step)).outcome).toMatchObject({
      status: 'applied',
      attempt: 2,
    });
    expect(await bench.effects(first.key)).toHaveLength(1);
  });

  test('that can never hold again refuses for good', async () => {
    const tool = guarded(() => ({ holds: false, permanent: true }));
    const first = await delivered(tool);
    expect(first.outcome).toMatchObject({ status: 'rejected', reason: 'precondition_failed' });
    expect(await bench.row(first.key)).toMatchObject({
      status: 'failed_permanent',
      reason: 'precondition_failed',
      doubt_attempt: null,
    });
    const again = await delivered(tool, TICKET, first.step);
    expect(again.outcome).toMatchObject({ reason: 'precondition_failed', repeated: true });
    expect(order).not.toContain('sent');
    expect(await bench.effects(first.key)).toEqual([]);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('the queue service is down'))],
    [
      'throws at once',
      () => {
        throw new Error('the queue service is down');
      },
    ],
    ['answers nothing', () => undefined],
    ['answers a text that looks true', () => ({ holds: 'yes' })],
  ] as [string, Ask][])('that %s lets nothing onto the wire, and may be asked again', async (_name, ask) => {
    const { outcome, key } = await delivered(guarded(ask));
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'not_sent', safe_to_repeat: true });
    expect(order).not.toContain('sent');
    expect(await bench.effects(key)).toEqual([]);
    expect(await bench.row(key)).toMatchObject({ pending_reason: 'ready', doubt_attempt: null });
  });

  test('is asked anew at every attempt, and not at a replay', async () => {
    const { step, executor } = await delivered(guarded(() => ({ holds: true })));
    order = [];
    expect((await executor.execute('tickets.create', TICKET, step)).status).toBe('replayed');
    expect(order).toEqual(['delivery', 'replay']);
  });
});

describe('the target’s version', () => {
  /** Closes a ticket of its own, at the version that the agent saw. */
  async function closing(now: () => unknown) {
    const made = await delivered(guarded(() => ({ holds: true })));
    const tool: Tool = ticketsClose(wire(), { version: newVersion() });
    order = [];
    const targetVersion = async () => {
      order.push('version');
      return (await now()) as number;
    };
    return await delivered(defineTool({ ...tool, targetVersion }), {
      ticket_id: made.outcome.effect_reference,
      expected_version: 1,
    });
  }

  test('that is the expected one lets the effect through, asked last', async () => {
    const { outcome, key } = await closing(() => 1);
    expect(outcome.status).toBe('applied');
    expect(order).toEqual(['delivery', 'effect', 'version', 'sent']);
    expect(await bench.effects(key)).toHaveLength(1);
    expect(await checks(key)).toEqual([{ check: 'target_version', holds: true }]);
  });

  test.each([2, '1', null])('that is %j instead refuses for good, and nothing is sent', async (now) => {
    const { outcome, key } = await closing(() => now);
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'precondition_failed' });
    expect(order).not.toContain('sent');
    expect(await bench.effects(key)).toEqual([]);
    expect(await bench.row(key)).toMatchObject({ status: 'failed_permanent', doubt_attempt: null });
  });

  test.each([
    ['cannot be read', () => Promise.reject(new Error('Deskline is down'))],
    ['is no JSON', () => 10n],
  ] as [string, Ask][])('that %s sends nothing, and may be asked again', async (_name, now) => {
    const { outcome, key } = await closing(now);
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'not_sent', safe_to_repeat: true });
    expect(order).not.toContain('sent');
    expect(await bench.effects(key)).toEqual([]);
  });
});

describe('with the send as a commit of its own', () => {
  const OWN: Partial<ContractInput> = { send_commit: 'own' };

  test('claim, checks, send and effect follow each other', async () => {
    const { outcome, key } = await delivered(guarded(() => ({ holds: true }), OWN));
    expect(outcome.status).toBe('applied');
    expect(await bench.kinds(key)).toEqual(['claim', 'send', 'apply']);
    expect(await bench.effects(key)).toHaveLength(1);
  });

  test('what fails before the send was never sent, also by the record', async () => {
    const { outcome, key } = await delivered(guarded(() => ({ holds: false, permanent: false }), OWN));
    expect(outcome).toMatchObject({ reason: 'not_sent', safe_to_repeat: true });
    expect(await bench.row(key)).toMatchObject({ sent_attempt: null, first_sent_at: null });
    expect(await bench.kinds(key)).toEqual(['claim', 'release']);
    expect(await bench.effects(key)).toEqual([]);
  });

  test.each([
    ['fail', 0, { status: 'rejected', reason: 'not_sent' }],
    ['lose_reply', 1, { status: 'applied' }],
  ] as const)('a send that meets “%s” makes %i effects', async (fault, effects, expected) => {
    const tool = guarded(() => ({ holds: true }), OWN);
    const store = faultyStore(bench.store);
    store.break('transition', fault, 1, 'send');
    const step = newStep();
    const executor = await bench.executor([tool], { store });
    expect(await executor.execute('tickets.create', TICKET, step)).toMatchObject(expected);
    expect(await bench.effects(keyOf(step))).toHaveLength(effects);
  });

  test('a send whose lease was lost meanwhile puts nothing on the wire; only a new attempt does', async () => {
    const step = newStep();
    let losesLease = true;
    const tool = guarded(async () => {
      if (!losesLease) return { holds: true };
      losesLease = false;
      await bench.pass(keyOf(step), 5);
      await other.recover();
      expect(await bench.row(keyOf(step))).toMatchObject({ pending_reason: 'ready', sent_attempt: null });
      return { holds: true };
    }, OWN);
    const other = await bench.executor([tool], { worker: 'worker-2' });
    const { outcome, key } = await delivered(tool, TICKET, step);
    expect(outcome).toMatchObject({ status: 'applied', attempt: 2 });
    expect(await bench.kinds(key)).toEqual(['claim', 'expire', 'acquire', 'send', 'apply']);
    expect(order.filter((one) => one === 'sent')).toHaveLength(1);
    expect(await bench.effects(key)).toHaveLength(1);
  });
});
