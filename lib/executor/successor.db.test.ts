import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { Executor, OperationContext } from './index.ts';
import {
  keyOf,
  MESSAGE,
  newStep,
  newVersion,
  openBench,
  TICKET,
  type Bench,
  type Stored,
} from './testing/bench.ts';

let bench: Bench;
let consoleClient: Client;
let user: string;
let executor: Executor;
let fault: string | undefined;
beforeAll(async () => {
  bench = await openBench();
  consoleClient = new Client({ connectionString: bench.database.urls.console });
  await consoleClient.connect();
  const [row] = await bench.sql(
    `with u as (insert into public.users (name) values ('Ines Okafor') returning user_id)
     insert into public.grants (tenant_id, environment, user_id, role, granted_by)
     select 'acme', 'production', user_id, 'operator', 'test' from u returning user_id`,
  );
  user = String(row?.['user_id']);
  const wire = { url: bench.deskline.url, fault: () => fault };
  executor = await bench.executor([
    ticketsCreate(wire, {
      version: newVersion(),
      downstream: {
        connector: 'deskline.tickets',
        key: 'operation_key',
        call_budget_ms: 3_000,
        settle_seconds: 1,
        own_retries_off: true,
        deduplicates: false,
      },
      attempts: { max: 1, backoff_seconds: 1 },
    }),
    messagesSend(wire, { version: newVersion() }),
  ]);
});
afterAll(async () => {
  await consoleClient.end();
  await bench.close();
});

/** A decision as the console records one. */
async function decide(
  key: string,
  verdict: string,
  receipt: string | null = null,
  decision = randomUUID(),
): Promise<Stored> {
  const { version } = await bench.row(key);
  const { rows } = await consoleClient.query<{ said: Stored }>(
    `select app.decide($1, 'acme', 'production', $2, $3, $4, $5, 'checked by hand', $6, '{}') as said`,
    [user, key, version, decision, verdict, receipt],
  );
  return rows[0]?.said ?? {};
}

/** An operation that provably did not happen, with its attempts spent: the case for a new key. */
async function absent(): Promise<{ step: OperationContext; key: string }> {
  const step = newStep();
  fault = 'not_now';
  expect((await executor.execute('tickets.create', TICKET, step)).reason).toBe('not_sent');
  fault = undefined;
  await bench.pass(keyOf(step), 10);
  expect((await executor.execute('tickets.create', TICKET, step)).reason).toBe('attempts_spent');
  return { step, key: keyOf(step) };
}

const create = (step: OperationContext, args: unknown = TICKET) =>
  executor.execute('tickets.create', args, step);

describe('after a decision for a new key', () => {
  test('the old key is superseded, and its one successor is accepted exactly once', async () => {
    const { step, key } = await absent();
    const decided = await decide(key, 'approved_new_key');
    expect(decided).toMatchObject({ outcome: 'decided', successor_key: `${key}!1` });

    const superseded = await create(step);
    expect(superseded).toMatchObject({
      status: 'rejected',
      reason: 'superseded',
      next_action: 'use_successor_key',
      successor_key: `${key}!1`,
    });
    expect(await bench.effects(key)).toEqual([]);

    const successor = { ...step, successorKey: `${key}!1` };
    const outcomes = await Promise.all([create(successor), create(successor), create(successor)]);
    expect(outcomes.filter(({ status }) => status === 'applied')).toHaveLength(1);
    expect(await create(successor)).toMatchObject({ status: 'replayed', operation_key: `${key}!1` });
    expect(await bench.effects(`${key}!1`)).toHaveLength(1);
    expect(await bench.effects(key)).toEqual([]);
    expect(await bench.row(`${key}!1`)).toMatchObject({
      status: 'applied',
      attempt: 1,
      supersedes_key: key,
      downstream_key: `${key}!1`,
    });
    expect((await bench.kinds(`${key}!1`)).slice(0, 3)).toEqual(['succeeds', 'acquire', expect.any(String)]);
    expect((await create(step)).reason).toBe('superseded');
  });

  test('any other successor key is refused, and nothing is written or sent', async () => {
    const { step, key } = await absent();
    await decide(key, 'approved_new_key');
    const rows = await bench.rows();
    for (const successorKey of [
      `${key}!2`,
      `${key}!01`,
      `${key}!`,
      key,
      `${key}!1x`,
      `acme:production:run_1:other!1`,
      `${key}%211`,
      '',
    ]) {
      const outcome = await create({ ...step, successorKey });
      expect([successorKey, outcome.status, outcome.reason, outcome.next_action]).toEqual([
        successorKey,
        'rejected',
        'superseded',
        'inspect_operation',
      ]);
      expect(outcome).toMatchObject({ effect_reference: null, result: null });
    }
    expect(await bench.rows()).toBe(rows);
    expect(await bench.effects(`${key}!2`)).toEqual([]);
    expect(await bench.row(`${key}!1`)).toMatchObject({ pending_reason: 'ready', attempt: 0 });
  });

  test('a successor key before any decision is refused: a delivery never makes a successor', async () => {
    const step = newStep();
    await create(step);
    const outcome = await create({ ...step, successorKey: `${keyOf(step)}!1` });
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: 'superseded',
      next_action: 'inspect_operation',
    });
    expect(await bench.effects(`${keyOf(step)}!1`)).toEqual([]);
    const [event] = await bench.events(`${keyOf(step)}!1`);
    expect(event).toMatchObject({ kind: 'rejected', detail: { reason: 'superseded' } });
  });

  test('a row that has the form of a successor and succeeds nothing is none', async () => {
    const step = newStep();
    await create(step);
    const key = `${keyOf(step)}!1`;
    await bench.sql('update public.tool_operations set operation_key = $2 where operation_key = $1', [
      keyOf(step),
      key,
    ]);
    const outcome = await create({ ...step, successorKey: key });
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'superseded', effect_reference: null });
  });

  test('another request under the successor is a mismatch', async () => {
    const { step, key } = await absent();
    await decide(key, 'approved_new_key');
    const outcome = await create({ ...step, successorKey: `${key}!1` }, { ...TICKET, body: 'Another.' });
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'fingerprint_mismatch' });
    expect(await bench.row(`${key}!1`)).toMatchObject({ attempt: 0, pending_reason: 'ready' });
  });

  test('a predecessor whose effect is found after all stops the successor', async () => {
    const { step, key } = await absent();
    await decide(key, 'approved_new_key');
    await bench.store.recordEvidence([
      {
        tenant_id: 'acme',
        environment: 'production',
        operation_key: key,
        source: 'late_answer',
        asked_by: 'executor:x',
        answer: 'found',
        authoritative: true,
        effect_reference: 'ticket_7',
        summary: 'x',
        trace: {},
      },
    ]);
    const outcome = await create({ ...step, successorKey: `${key}!1` });
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: 'superseded',
      next_action: 'inspect_operation',
    });
    expect(await bench.effects(`${key}!1`)).toEqual([]);
    expect((await bench.row(key))['contradicted_at']).not.toBeNull();
  });

  test('a successor that is superseded itself names the next one', async () => {
    const { step, key } = await absent();
    await decide(key, 'approved_new_key');
    const first = { ...step, successorKey: `${key}!1` };
    fault = 'not_now';
    await create(first);
    fault = undefined;
    await bench.pass(`${key}!1`, 10);
    await decide(`${key}!1`, 'approved_new_key');
    expect(await create(first)).toMatchObject({ reason: 'superseded', successor_key: `${key}!2` });
    expect((await create({ ...step, successorKey: `${key}!2` })).status).toBe('applied');
    expect(await bench.effects(`${key}!2`)).toHaveLength(1);
  });
});

describe('what an agent gets after the other verdicts', () => {
  const unknown = async () => {
    const step = newStep();
    fault = 'commit_then_drop';
    expect((await executor.execute('messages.send', MESSAGE, step)).status).toBe('unknown');
    fault = undefined;
    return step;
  };

  test('applied with the receipt that a person gave is replayed, and nothing is sent', async () => {
    const step = await unknown();
    const [reference] = await bench.effects(keyOf(step));
    expect(await decide(keyOf(step), 'applied', reference)).toMatchObject({ outcome: 'decided' });
    expect(await executor.execute('messages.send', MESSAGE, step)).toMatchObject({
      status: 'replayed',
      effect_reference: reference,
    });
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  });

  test('failed_permanent is rejected as decided', async () => {
    const { step, key } = await absent();
    expect(await decide(key, 'failed_permanent')).toMatchObject({ outcome: 'decided' });
    expect(await create(step)).toMatchObject({ status: 'rejected', reason: 'decided', repeated: true });
    expect(await bench.effects(key)).toEqual([]);
  });

  test('a decision while a worker is at work is refused, and one after its lease fences it', async () => {
    const step = newStep();
    let decided: Stored = {};
    const deciding = await bench.executor(
      [ticketsCreate({ url: bench.deskline.url }, { version: newVersion() })],
      {
        authorize: async ({ phase }) => {
          if (phase === 'effect') {
            expect(await decide(keyOf(step), 'applied', 'ticket_9')).toMatchObject({
              outcome: 'refused',
              refusal: 'being_attempted',
            });
            await bench.pass(keyOf(step), 5);
            decided = await decide(keyOf(step), 'applied', 'ticket_9');
          }
          return { allowed: true, policyVersion: '1' };
        },
      },
    );
    const outcome = await deciding.execute('tickets.create', TICKET, step);
    expect(decided).toMatchObject({ outcome: 'decided' });
    expect(outcome).toMatchObject({ status: 'replayed', effect_reference: 'ticket_9' });
    const row = await bench.row(keyOf(step));
    expect(row).toMatchObject({ status: 'applied', effect_reference: 'ticket_9', evidence: 'found' });
    expect(row['contradicted_at']).not.toBeNull(); // its own receipt names another record
  });
});
