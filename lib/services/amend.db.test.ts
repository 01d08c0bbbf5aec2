import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { toCaller, type Caller } from '../auth/caller.ts';
import type { Executor, OperationContext } from '../executor/index.ts';
import { keyOf, MESSAGE, newStep, newVersion, openBench, type Bench } from '../executor/testing/bench.ts';
import { approveProposal } from './approve-proposal.ts';
import { proposeDecision } from './propose-decision.ts';
import { SCOPE } from './testing/console-bench.ts';

let bench: Bench;
let executor: Executor;
let fault: string | undefined;
let operator: Caller;
let approver: Caller;

async function person(name: string, role: 'operator' | 'approver'): Promise<Caller> {
  const [row] = await bench.sql(
    `with u as (insert into public.users (name) values ($1) returning user_id)
     insert into public.grants (tenant_id, environment, user_id, role, granted_by)
     select 'acme', 'production', user_id, $2, 'test' from u returning user_id`,
    [name, role],
  );
  return toCaller({
    user: { user_id: String(row?.['user_id']), name, email: null },
    expires_at: '2099-01-01T00:00:00Z',
    grants: [{ tenant_id: 'acme', environment: 'production', role }],
  });
}

beforeAll(async () => {
  bench = await openBench();
  vi.stubEnv('DATABASE_CONSOLE_URL', bench.database.urls.console);
  vi.stubEnv('LOG_LEVEL', 'silent');
  operator = await person('Ines Okafor', 'operator');
  approver = await person('Marek Brandt', 'approver');
  executor = await bench.executor([
    messagesSend({ url: bench.deskline.url, fault: () => fault }, { version: newVersion() }),
  ]);
});
afterAll(() => bench.close());

const send = (step: OperationContext) => executor.execute('messages.send', MESSAGE, step);

async function together(key: string, verdict: 'applied' | 'approved_new_key', reference: string | null) {
  const version = Number((await bench.row(key))['version']);
  const decision_id = randomUUID();
  await proposeDecision(operator, SCOPE, key, {
    decision_id,
    version,
    verdict,
    reason: 'Nothing is in the log.',
    effect_reference: reference,
    evidence_ids: [],
  });
  return approveProposal(approver, SCOPE, key, decision_id, { version, reason: 'I looked too.' });
}

/** A message that was sent, whose answer was lost, and for which two persons allowed a new key. */
async function mistaken() {
  const step = newStep();
  const key = keyOf(step);
  fault = 'commit_then_drop';
  expect((await send(step)).status).toBe('unknown');
  fault = undefined;
  const { successor_key } = await together(key, 'approved_new_key', null);
  const [reference = ''] = await bench.effects(key);
  const find = () =>
    bench.store.recordEvidence([
      {
        tenant_id: 'acme',
        environment: 'production',
        operation_key: key,
        source: 'late_answer',
        asked_by: 'executor:x',
        answer: 'found',
        authoritative: true,
        effect_reference: reference,
        summary: 'The message is there.',
        trace: {},
      },
    ]);
  return { step, key, successor: { ...step, successorKey: successor_key ?? '' }, reference, find };
}

const effects = async (key: string) => [...(await bench.effects(key)), ...(await bench.effects(`${key}!1`))];

test('rule 11: amending to applied revokes the unused successor; both keys are answered and one effect remains', async () => {
  const { step, key, successor, reference, find } = await mistaken();
  await find();
  await together(key, 'applied', reference);
  expect(await send(step)).toMatchObject({ status: 'replayed', effect_reference: reference });
  expect(await send(successor)).toMatchObject({ status: 'rejected', effect_reference: null });
  expect(await bench.row(`${key}!1`)).toMatchObject({ status: 'failed_permanent', reason: 'revoked' });
  expect(await effects(key)).toEqual([reference]);
});

test('rule 11: where the successor had its effect, the second effect is a case and nothing new runs', async () => {
  const { step, key, successor, reference, find } = await mistaken();
  expect((await send(successor)).status).toBe('applied');
  await find();
  await together(key, 'applied', reference);
  const second = await bench.row(`${key}!1`);
  expect(second['status']).toBe('applied');
  expect(second['case_at']).not.toBeNull();
  expect(await send(step)).toMatchObject({ status: 'replayed', effect_reference: reference });
  expect((await send(successor)).status).toBe('replayed');
  expect(await effects(key)).toHaveLength(2);
});
