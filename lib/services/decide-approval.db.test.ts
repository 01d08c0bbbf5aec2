import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertOperation } from '../../db/testing/factories.ts';
import type { Caller } from '../auth/caller.ts';
import type { DecideApprovalInput } from '../shapes/approval.ts';
import { decideApproval } from './decide-approval.ts';
import { openConsoleBench, SCOPE, type ConsoleBench } from './testing/console-bench.ts';

let bench: ConsoleBench;
let approver: Caller;
beforeAll(async () => {
  bench = await openConsoleBench();
  approver = await bench.person(['approver'], 'Ada Novak');
});
afterAll(() => bench.close());

const answer = (part: Partial<DecideApprovalInput> = {}): DecideApprovalInput => ({
  decision_id: randomUUID(),
  version: 1,
  answer: 'approve',
  reason: 'The amount is right.',
  ...part,
});

/** An operation that waits for its approval, as request_approval leaves it. */
async function waiting(): Promise<string> {
  const key = await insertOperation(bench.superuser, {
    status: 'pending',
    pending_reason: 'awaiting_approval',
    attempt: 0,
    sent_attempt: null,
    doubt_attempt: null,
    first_sent_at: null,
    sent_at: null,
    quiet_until: null,
    recover_until: null,
    approval_required: true,
  });
  await bench.superuser.query(
    `insert into approvals (tenant_id, environment, operation_key, request_fingerprint, tool_version, operation_version, requested_by)
     select tenant_id, environment, operation_key, request_fingerprint, tool_version, version, 'agent:planner'
     from tool_operations where operation_key = $1`,
    [key],
  );
  return key;
}

const rowOf = async (key: string) =>
  (
    await bench.superuser.query<Record<string, unknown>>(
      'select * from tool_operations where operation_key = $1',
      [key],
    )
  ).rows[0];

test('an approval makes the operation ready until it expires; sent twice it is recorded once', async () => {
  const key = await waiting();
  const input = answer();
  const first = await decideApproval(approver, SCOPE, key, input);
  expect(first).toMatchObject({ outcome: 'decided', state: 'approved' });
  expect(first.valid_until).not.toBeNull();
  expect(await decideApproval(approver, SCOPE, key, input)).toMatchObject({
    outcome: 'repeated',
    approval_id: first.approval_id,
  });
  expect(await rowOf(key)).toMatchObject({ status: 'pending', pending_reason: 'ready', version: '2' });
});

test('a denial closes the operation: it did not happen', async () => {
  const key = await waiting();
  expect(await decideApproval(approver, SCOPE, key, answer({ answer: 'deny' }))).toMatchObject({
    state: 'denied',
    valid_until: null,
  });
  expect(await rowOf(key)).toMatchObject({ status: 'failed_permanent', reason: 'approval_denied' });
});

test('[B07] the second answer is a conflict that names the first, and both are audited', async () => {
  const key = await waiting();
  const other = await bench.person(['approver'], 'Marek Brandt');
  const before = await bench.entries('acme', 'approval_conflict');
  await decideApproval(approver, SCOPE, key, answer({ answer: 'deny' }));
  await expect(decideApproval(other, SCOPE, key, answer())).rejects.toMatchObject({
    code: 'conflict',
    details: { conflict: { state: 'denied', decided_by: 'Ada Novak', status: 'failed_permanent' } },
  });
  expect(await bench.entries('acme', 'approval_conflict')).toBe(before + 1);
});

test('two approvers at once: one answer counts', async () => {
  const key = await waiting();
  const others = await Promise.all(
    Array.from({ length: 8 }, (_, i) => bench.person(['approver'], `Approver ${i}`)),
  );
  const answers = await Promise.allSettled(
    others.map((person, i) =>
      decideApproval(person, SCOPE, key, answer({ answer: i % 2 ? 'deny' : 'approve' })),
    ),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await rowOf(key))?.['version']).toBe('2');
});

test('who is no approver is refused, and that is written down', async () => {
  const key = await waiting();
  const operator = await bench.person(['operator'], 'Otto Lindqvist');
  await expect(decideApproval(operator, SCOPE, key, answer())).rejects.toMatchObject({ code: 'forbidden' });
  expect(await bench.entries('acme', 'approval_refused')).toBe(1);
  expect(await rowOf(key)).toMatchObject({ pending_reason: 'awaiting_approval' });
});

test('a decision id is bound to its content, and another scope’s key is not there', async () => {
  const key = await waiting();
  const input = answer();
  await decideApproval(approver, SCOPE, key, input);
  await expect(decideApproval(approver, SCOPE, key, { ...input, answer: 'deny' })).rejects.toMatchObject({
    code: 'unprocessable',
  });
  await expect(
    decideApproval(approver, SCOPE, 'acme:production:run_1:nowhere', answer()),
  ).rejects.toMatchObject({ code: 'not_found' });
});
