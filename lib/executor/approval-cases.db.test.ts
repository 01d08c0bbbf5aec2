import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentsCharge } from '../demo/tools/payments-charge.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { Executor, OperationContext } from './index.ts';
import { approvalsOf, auditOf, openApprover, type Approver } from './testing/approver.ts';
import {
  keyOf,
  newStep,
  newVersion,
  openBench,
  PAYMENT,
  permit,
  TICKET,
  type Bench,
} from './testing/bench.ts';

let bench: Bench;
let rita: Approver;
let otto: Approver;
let executor: Executor;
beforeAll(async () => {
  bench = await openBench();
  rita = await openApprover(bench, 'Rita Nakamura');
  otto = await openApprover(bench, 'Otto Brandt');
  executor = await bench.executor([
    paymentsCharge({ url: bench.deskline.url }, { version: newVersion() }),
    asked('accounts.delete'),
    asked('accounts.close'),
  ]);
});
afterAll(async () => {
  await Promise.all([rita.close(), otto.close()]);
  await bench.close();
});

/** A tool that a person approves; each of its effects is one that Deskline counts. */
const asked = (name: string, change: Parameters<typeof ticketsCreate>[1] = {}) =>
  ticketsCreate(
    { url: bench.deskline.url },
    {
      name,
      version: newVersion(),
      decision: 'automate_with_approval',
      approval: { valid_seconds: 300 },
      ...change,
    },
  );

const WAITING = { status: 'rejected', reason: 'approval_required', next_action: 'ask_for_approval' };

const remove = (step: OperationContext, args: unknown = TICKET) =>
  executor.execute('accounts.delete', args, step);

test('[B04] a batch that stops for one approval runs again whole, and what had finished is not done twice', async () => {
  const [charging, deleting] = [newStep(), newStep()];
  const batch = () => Promise.all([executor.execute('payments.charge', PAYMENT, charging), remove(deleting)]);
  const [charged, waiting] = await batch();
  expect(charged.status).toBe('applied');
  expect(waiting).toMatchObject(WAITING);
  await rita.answer(keyOf(deleting), 'approve');
  const [again, deleted] = await batch();
  expect(again).toMatchObject({ status: 'replayed', effect_reference: charged.effect_reference });
  expect(deleted.status).toBe('applied');
  expect((await batch()).map(({ status }) => status)).toEqual(['replayed', 'replayed']);
  expect(await bench.effects(keyOf(charging))).toEqual([charged.effect_reference]);
  expect(await bench.effects(keyOf(deleting))).toEqual([deleted.effect_reference]);
});

test('[B06] the answers to two waiting operations reach each its own, whoever gives them and in whatever order', async () => {
  const [a, b] = [newStep(), newStep()];
  for (const step of [a, b]) expect(await remove(step)).toMatchObject(WAITING);
  await rita.answer(keyOf(b), 'approve', { reason: 'B ok' });
  await otto.answer(keyOf(a), 'deny', { reason: 'A is a mistake' });
  expect((await remove(b)).status).toBe('applied');
  expect(await remove(a)).toMatchObject({ status: 'rejected', reason: 'approval_denied' });
  expect(await bench.effects(keyOf(b))).toHaveLength(1);
  expect(await bench.effects(keyOf(a))).toEqual([]);
  expect(await auditOf(bench, keyOf(b))).toMatchObject([
    {
      action: 'approval',
      actor: `user:${rita.userId}`,
      operation_key: keyOf(b),
      detail: { answer: 'approve', reason: 'B ok', person: 'Rita Nakamura' },
    },
  ]);
  expect(await auditOf(bench, keyOf(a))).toMatchObject([
    {
      action: 'approval',
      actor: `user:${otto.userId}`,
      operation_key: keyOf(a),
      detail: { answer: 'deny', reason: 'A is a mistake', person: 'Otto Brandt' },
    },
  ]);
});

test('[B07] of two answers to one question the second is a conflict that names the first, and both are audited', async () => {
  const step = newStep();
  await remove(step);
  const { version: seen } = await bench.row(keyOf(step)); // both have the page open
  expect(await rita.answer(keyOf(step), 'deny', { version: seen })).toMatchObject({ outcome: 'decided' });
  const second = await otto.answer(keyOf(step), 'approve', { version: seen });
  expect(second).toMatchObject({
    outcome: 'conflict',
    status: 'failed_permanent',
    state: 'denied',
    decided_by: 'Rita Nakamura',
    decided_at: expect.any(String),
  });
  expect(await remove(step)).toMatchObject({ status: 'rejected', reason: 'approval_denied' });
  expect(await bench.effects(keyOf(step))).toEqual([]);
  expect(await approvalsOf(bench, keyOf(step))).toMatchObject([{ state: 'denied', decided_by: rita.userId }]);
  expect((await auditOf(bench, keyOf(step))).map(({ action, actor }) => [action, actor])).toEqual([
    ['approval', `user:${rita.userId}`],
    ['approval_conflict', `user:${otto.userId}`],
  ]);
});

test('[B07] both answers at the same moment: one is decided, the other a conflict', async () => {
  const step = newStep();
  await remove(step);
  const { version: seen } = await bench.row(keyOf(step));
  const said = await Promise.all([
    rita.answer(keyOf(step), 'deny', { version: seen }),
    otto.answer(keyOf(step), 'approve', { version: seen }),
  ]);
  expect(said.map(({ outcome }) => outcome).toSorted()).toEqual(['conflict', 'decided']);
  const isApproved = said[1]?.['outcome'] === 'decided';
  expect((await remove(step)).status).toBe(isApproved ? 'applied' : 'rejected');
  expect(await bench.effects(keyOf(step))).toHaveLength(isApproved ? 1 : 0);
});

test('[B12] two calls of one tool in one turn need two approvals: one of them lets the other through never', async () => {
  const [first, second] = [newStep(), newStep()];
  await Promise.all([remove(first), remove(second)]);
  await rita.answer(keyOf(first), 'approve');
  expect((await remove(first)).status).toBe('applied');
  expect(await remove(second)).toMatchObject(WAITING);
  expect(await bench.effects(keyOf(second))).toEqual([]);
  await rita.answer(keyOf(second), 'approve');
  expect((await remove(second)).status).toBe('applied');
  expect(await bench.effects(keyOf(second))).toHaveLength(1);
});

test('[B18] an approval is used by the call that it was given for, not by other arguments nor by another tool', async () => {
  const step = newStep();
  await remove(step);
  await rita.answer(keyOf(step), 'approve');
  const changed = { ...TICKET, customer_id: 'cus_2' };

  // under the step that was approved it is another request, and nothing happens
  expect(await remove(step, changed)).toMatchObject({ status: 'rejected', reason: 'fingerprint_mismatch' });
  expect(await executor.execute('accounts.close', TICKET, step)).toMatchObject({
    status: 'rejected',
    reason: 'fingerprint_mismatch',
  });
  // under steps of their own they are asked about anew
  const [otherArguments, otherTool] = [newStep(), newStep()];
  expect(await remove(otherArguments, changed)).toMatchObject(WAITING);
  expect(await executor.execute('accounts.close', TICKET, otherTool)).toMatchObject(WAITING);

  const ledger = async () => [
    await approvalsOf(bench, keyOf(step)),
    await approvalsOf(bench, keyOf(otherArguments)),
    await approvalsOf(bench, keyOf(otherTool)),
  ];
  expect(await ledger()).toMatchObject([
    [{ state: 'approved', consumed_at: null }],
    [{ state: 'requested' }],
    [{ state: 'requested' }],
  ]);
  expect(await bench.row(keyOf(step))).toMatchObject({ pending_reason: 'ready', attempt: 0 });
  for (const one of [step, otherArguments, otherTool]) expect(await bench.effects(keyOf(one))).toEqual([]);

  expect((await remove({ ...step, toolCallId: 'call_2' })).status).toBe('applied');
  expect(await bench.effects(keyOf(step))).toHaveLength(1);
  expect(await ledger()).toMatchObject([
    [{ state: 'approved', consumed_attempt: 1 }],
    [{ state: 'requested' }],
    [{ state: 'requested' }],
  ]);
});

test('[B43] an approval that ran out while a crashed attempt was recovered is asked for again; what is applied still replays', async () => {
  const tool = asked('accounts.purge', { send_commit: 'own' });
  const steady = await bench.executor([tool]);
  const deliver = (step: OperationContext) => steady.execute('accounts.purge', TICKET, step);
  const [crashed, applied] = [newStep(), newStep()];
  for (const step of [crashed, applied]) {
    await deliver(step);
    await rita.answer(keyOf(step), 'approve');
  }
  expect((await deliver(applied)).status).toBe('applied');

  // a worker that dies between its claim and the call: it acquires, and is never heard of again
  const dead = await bench.executor([tool], {
    authorize: async (question) => (question.phase === 'effect' ? await never : await permit(question)),
  });
  void dead.execute('accounts.purge', TICKET, crashed);
  await expect.poll(() => bench.kinds(keyOf(crashed)), { timeout: 20_000 }).toContain('acquire');
  for (const step of [crashed, applied]) await bench.pass(keyOf(step), 360);
  expect(await steady.recover()).toBe(1);

  expect(await deliver(crashed)).toMatchObject(WAITING);
  expect(await bench.row(keyOf(crashed))).toMatchObject({
    pending_reason: 'awaiting_approval',
    sent_attempt: null,
  });
  expect(await bench.effects(keyOf(crashed))).toEqual([]);
  expect((await deliver(applied)).status).toBe('replayed');
  expect(await bench.effects(keyOf(applied))).toHaveLength(1);
});

const never = new Promise<never>(() => {});
