import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { ticketsCreate, ticketsCreateContract } from '../demo/tools/tickets-create.ts';
import type { ContractInput, Executor, OperationContext } from './index.ts';
import { keyOf, MESSAGE, newStep, newVersion, openBench, TICKET, type Bench } from './testing/bench.ts';

let bench: Bench;
let fault: string | undefined;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const ticket = (change: Partial<ContractInput> = {}) =>
  ticketsCreate({ url: bench.deskline.url, fault: () => fault }, { version: newVersion(), ...change });

/** Delivers `first` and then `second` under one key; the second sends nothing, whatever it is answered. */
async function twice(executor: Executor, first: object, second: object) {
  const step = newStep();
  const deliver = (change: object) => executor.execute('tickets.create', { ...TICKET, ...change }, step);
  expect((await deliver(first)).status).toBe('applied');
  const outcome = await deliver(second);
  expect(await bench.effects(keyOf(step))).toHaveLength(1);
  return outcome.reason ?? outcome.status;
}

describe('white space', () => {
  test('[B11] tells two requests apart in a field without a rule, and does not in one whose contract says so', async () => {
    const tool = ticket();
    const executor = await bench.executor([tool]);
    expect(await twice(executor, { body: 'a b' }, { body: 'a\nb' })).toBe('fingerprint_mismatch');
    expect(await twice(executor, { subject: 'a b' }, { subject: ' a\nb ' })).toBe('replayed');
    const [stored] = await bench.sql(
      `select body->'material' as material from public.tool_contracts where name = $1 and version = $2`,
      [tool.contract.name, tool.contract.version],
    );
    expect(stored?.['material']).toMatchObject({
      body: { rules: [] },
      subject: { rules: ['trim', 'collapse_whitespace'], because: expect.any(String) },
    });
  });
});

describe('Unicode normalization', () => {
  const PAIRS = [
    ['NFC and NFD', 'Zo\u00eb', 'Zoe\u0308'],
    ['the angstrom sign and the letter', '\u212b', '\u00c5'],
  ] as const;

  test.each(PAIRS)('[B68] by default %s are two requests', async (_name, one, other) => {
    const executor = await bench.executor([ticket()]);
    expect(await twice(executor, { body: one }, { body: other })).toBe('fingerprint_mismatch');
  });

  test.each(PAIRS)(
    '[B68] in a field marked nfc %s are one, and in no other field',
    async (_name, one, other) => {
      const material: ContractInput['material'] = {
        ...ticketsCreateContract.material,
        body: { rules: ['nfc'], because: 'Deskline shows both alike.' },
      };
      const executor = await bench.executor([ticket({ material })]);
      expect(await twice(executor, { body: one }, { body: other })).toBe('replayed');
      expect(await twice(executor, { customer_id: one }, { customer_id: other })).toBe(
        'fingerprint_mismatch',
      );
      expect(await twice(executor, { body: one }, { body: `${one}\u200b` })).toBe('fingerprint_mismatch');
    },
  );
});

describe('after a deploy', () => {
  const OLD = newVersion();
  const NEW = newVersion();
  /** What the new version sees otherwise: spaces in the subject, and the body's case. */
  const changed: Partial<ContractInput> = {
    version: NEW,
    material: {
      ...ticketsCreateContract.material,
      subject: { rules: [] },
      body: { rules: ['lowercase'], because: 'Deskline searches without case.' },
    },
  };
  let before: Executor;
  let after: Executor;
  beforeAll(async () => {
    const message = (version: string) =>
      messagesSend({ url: bench.deskline.url, fault: () => fault }, { version });
    before = await bench.executor([ticket({ version: OLD }), message(OLD)]);
    after = await bench.executor([ticket(changed), message(NEW)]);
  });

  /** Three records that the old version left. */
  async function seeded(): Promise<Record<'applied' | 'refused' | 'unknown', OperationContext>> {
    const steps = { applied: newStep(), refused: newStep(), unknown: newStep() };
    expect((await before.execute('tickets.create', TICKET, steps.applied)).status).toBe('applied');
    fault = 'refuse';
    expect((await before.execute('tickets.create', TICKET, steps.refused)).reason).toBe('refused');
    fault = 'commit_then_drop';
    expect((await before.execute('messages.send', MESSAGE, steps.unknown)).status).toBe('unknown');
    fault = undefined;
    return steps;
  }

  test('[B30] each record is compared under its own version: no false mismatch and no second effect', async () => {
    const steps = await seeded();
    const spaced = { ...TICKET, subject: ' Refund  request' };
    for (const args of [TICKET, spaced])
      // equal under the old rules, different under the new
      expect((await after.execute('tickets.create', args, steps.applied)).status).toBe('replayed');
    expect(await after.execute('tickets.create', TICKET, steps.refused)).toMatchObject({
      status: 'rejected',
      reason: 'refused',
      repeated: true,
    });
    expect((await after.execute('messages.send', MESSAGE, steps.unknown)).status).toBe('unknown');
    expect(await bench.effects(keyOf(steps.applied))).toHaveLength(1);
    expect(await bench.effects(keyOf(steps.refused))).toEqual([]);
    expect(await bench.effects(keyOf(steps.unknown))).toHaveLength(1);

    // and what only the new rules call equal is another request
    const upper = { ...TICKET, body: TICKET.body.toUpperCase() };
    expect(await after.execute('tickets.create', upper, steps.applied)).toMatchObject({
      reason: 'fingerprint_mismatch',
      versions: { stored: OLD, incoming: NEW },
    });
    expect(await bench.row(keyOf(steps.applied))).toMatchObject({ tool_version: OLD, attempt: 1 });
  });

  test('[B30] a record of a canonical form that this process does not know is neither mismatched nor sent again', async () => {
    const { applied } = await seeded();
    await bench.sql('update public.tool_operations set fingerprint_version = 2 where operation_key = $1', [
      keyOf(applied),
    ]);
    const expected = {
      status: 'in_flight',
      reason: 'version_not_held',
      next_action: 'poll',
      effect_reference: null,
      result: null,
    };
    for (const executor of [before, after]) {
      expect(await executor.execute('tickets.create', TICKET, applied)).toMatchObject(expected);
      expect(await executor.status('tickets.create', applied, { args: TICKET })).toMatchObject(expected);
    }
    expect(await bench.effects(keyOf(applied))).toHaveLength(1);
  });
});
