import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { paymentsCharge, paymentsChargeContract } from '../demo/tools/payments-charge.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { ContractInput, Executor, OperationContext } from './index.ts';
import { approvalsOf, auditOf, openApprover, type Approver } from './testing/approver.ts';
import { keyOf, newStep, newVersion, openBench, PAYMENT, TICKET, type Bench } from './testing/bench.ts';

let bench: Bench;
let rita: Approver;
let executor: Executor;
let version: string;
let fault: string | undefined;
beforeAll(async () => {
  bench = await openBench();
  rita = await openApprover(bench, 'Rita Nakamura');
  version = newVersion();
  executor = await bench.executor([
    ticketsCreate({ url: bench.deskline.url, fault: () => fault }, { ...ASKED, version }),
    dearCharges(),
  ]);
});
afterAll(async () => {
  await rita.close();
  await bench.close();
});
beforeEach(() => {
  fault = undefined;
});

const ASKED: Partial<ContractInput> = {
  decision: 'automate_with_approval',
  approval: { valid_seconds: 300 },
  abandon_after_seconds: 3_600,
};
/** Only what is dear, or in a foreign currency, is asked about. */
const dearCharges = () =>
  paymentsCharge(
    { url: bench.deskline.url },
    {
      ...paymentsChargeContract,
      version: newVersion(),
      approval: {
        valid_seconds: 300,
        when: [
          { field: 'amount', at_least: 5_000 },
          { field: 'currency', any_of: ['USD', 'CHF'] },
        ],
      },
    },
  );

const deliver = (step: OperationContext, args: unknown = TICKET) =>
  executor.execute('tickets.create', args, step);

const WAITING = {
  status: 'rejected',
  reason: 'approval_required',
  next_action: 'ask_for_approval',
  safe_to_repeat: false,
  effect_reference: null,
};

describe('an operation that a person must approve', () => {
  test('is asked about at its first delivery, is one question however often it comes, and sends nothing', async () => {
    const step = newStep();
    for (let i = 0; i < 3; i++) expect(await deliver(step)).toMatchObject({ ...WAITING, attempt: 0 });
    expect(await bench.effects(keyOf(step))).toEqual([]);
    const row = await bench.row(keyOf(step));
    expect(row).toMatchObject({ pending_reason: 'awaiting_approval', attempt: 0, approval_required: true });
    expect(await approvalsOf(bench, keyOf(step))).toMatchObject([
      {
        state: 'requested',
        requested_by: 'agent:planner',
        request_fingerprint: row['request_fingerprint'],
        tool_version: version,
        operation_version: '1',
      },
    ]);
    expect(await bench.kinds(keyOf(step))).toEqual(['request_approval', 'rejected', 'rejected']);
  });

  test('runs once it is approved, and its one approval is consumed by the attempt that it let through', async () => {
    const step = newStep();
    await deliver(step);
    expect(await rita.answer(keyOf(step), 'approve')).toMatchObject({
      outcome: 'decided',
      state: 'approved',
    });
    expect(await bench.effects(keyOf(step))).toEqual([]); // approving sends nothing
    fault = 'not_now';
    expect(await deliver(step)).toMatchObject({ status: 'rejected', reason: 'not_sent' });
    expect(await approvalsOf(bench, keyOf(step))).toMatchObject([{ state: 'approved', consumed_attempt: 1 }]);
    fault = undefined;
    await bench.pass(keyOf(step), 10);
    expect(await deliver(step)).toMatchObject({ status: 'applied', attempt: 2 });
    expect(await deliver(step)).toMatchObject({ status: 'replayed' });
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
    expect(await approvalsOf(bench, keyOf(step))).toMatchObject([{ state: 'approved', consumed_attempt: 1 }]);
  });

  test('runs once also where several workers deliver it at the moment of the approval', async () => {
    const step = newStep();
    await deliver(step);
    await rita.answer(keyOf(step), 'approve');
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => deliver(step)));
    expect(outcomes.filter(({ status }) => status === 'applied')).toHaveLength(1);
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  });

  test('is asked about again when its approval ran out before the effect', async () => {
    const step = newStep();
    await deliver(step);
    await rita.answer(keyOf(step), 'approve');
    await bench.pass(keyOf(step), 301);
    expect(await deliver(step)).toMatchObject({ ...WAITING, attempt: 0 });
    expect(await bench.effects(keyOf(step))).toEqual([]);
    expect(await approvalsOf(bench, keyOf(step))).toMatchObject([
      { state: 'approved', consumed_at: null },
      { state: 'requested' },
    ]);
    await rita.answer(keyOf(step), 'approve');
    expect(await deliver(step)).toMatchObject({ status: 'applied', attempt: 1 });
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  });

  test.each([
    ['another fingerprint', `request_fingerprint = 'sha256:' || repeat('0', 64)`],
    ['another contract version', `tool_version = 'another'`],
  ])('does not run on an approval of %s', async (_name, change) => {
    const step = newStep();
    await deliver(step);
    await rita.answer(keyOf(step), 'approve');
    await bench.sql(`update public.approvals set ${change} where operation_key = $1`, [keyOf(step)]);
    expect(await deliver(step)).toMatchObject(WAITING);
    expect(await bench.effects(keyOf(step))).toEqual([]);
  });

  test('cannot be approved on a version that the person did not see, nor by somebody who is no approver', async () => {
    const step = newStep();
    await deliver(step);
    const otto = await openApprover(bench, 'Otto Brandt', 'operator');
    expect(await otto.answer(keyOf(step), 'approve')).toMatchObject({
      outcome: 'refused',
      refusal: 'not_granted',
    });
    await otto.close();
    expect(await rita.answer(keyOf(step), 'approve', { version: 7 })).toMatchObject({ outcome: 'conflict' });
    expect(await deliver(step)).toMatchObject(WAITING);
    expect(await bench.effects(keyOf(step))).toEqual([]);
    expect((await auditOf(bench, keyOf(step))).map(({ action }) => action)).toEqual([
      'approval_refused',
      'approval_conflict',
    ]);
  });

  test('is failed_permanent once it is denied, also for whoever calls again', async () => {
    const step = newStep();
    await deliver(step);
    expect(await rita.answer(keyOf(step), 'deny')).toMatchObject({ outcome: 'decided', state: 'denied' });
    for (let i = 0; i < 2; i++)
      expect(await deliver(step)).toMatchObject({
        status: 'rejected',
        reason: 'approval_denied',
        next_action: 'none',
        repeated: true,
      });
    expect(await bench.row(keyOf(step))).toMatchObject({ status: 'failed_permanent', case_at: null });
    expect(await bench.effects(keyOf(step))).toEqual([]);
  });

  test('is given up when nobody answers within the contract’s abandon_after', async () => {
    const step = newStep();
    await deliver(step);
    await bench.pass(keyOf(step), 3_590);
    await executor.recover();
    expect(await bench.row(keyOf(step))).toMatchObject({ pending_reason: 'awaiting_approval' });
    await bench.pass(keyOf(step), 20);
    expect(await executor.recover()).toBe(1);
    expect(await rita.answer(keyOf(step), 'approve')).toMatchObject({ outcome: 'conflict' });
    expect(await deliver(step)).toMatchObject({ status: 'rejected', reason: 'never_sent', repeated: true });
    expect(await bench.effects(keyOf(step))).toEqual([]);
    expect(await bench.kinds(keyOf(step))).toEqual(['request_approval', 'abandon', 'rejected']);
  });
});

describe('the contract’s conditions', () => {
  test.each([
    ['a small amount in euro', { amount: 4_999, currency: 'EUR' }, 'applied'],
    ['an amount at the bound', { amount: 5_000, currency: 'EUR' }, 'approval_required'],
    ['a small amount in dollars', { amount: 1, currency: 'USD' }, 'approval_required'],
  ])('%s', async (_name, change, expected) => {
    const step = newStep();
    const outcome = await executor.execute('payments.charge', { ...PAYMENT, ...change }, step);
    expect(outcome.reason ?? outcome.status).toBe(expected);
    expect(await bench.effects(keyOf(step))).toHaveLength(expected === 'applied' ? 1 : 0);
  });

  test('a process that is stricter than the contract asks where the contract does not', async () => {
    const strict = await bench.executor([dearCharges()], {
      stricter: { 'payments.charge': 'automate_with_approval' },
    });
    const step = newStep();
    expect(await strict.execute('payments.charge', PAYMENT, step)).toMatchObject(WAITING);
    expect(await bench.effects(keyOf(step))).toEqual([]);
    await rita.answer(keyOf(step), 'approve');
    expect((await strict.execute('payments.charge', PAYMENT, step)).status).toBe('applied');
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  });
});
