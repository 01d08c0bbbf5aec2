import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeClients, executorSql } from '../../db/client.ts';
import { insertContract } from '../../db/testing/factories.ts';
import { testDatabase, type TestDatabase } from '../../db/testing/test-database.ts';
import { toRecord, type Row } from './batch-answers.ts';
import { mergingStore } from './merging-store.ts';
import type { ClaimRow, OperationRecord, Store, TransitionRow } from './ports.ts';
import { postgresStore } from './postgres-store.ts';

/**
 * Two databases are told the same: one through the statements of many rows, the other through the functions that do
 * each row alone. What they answer, store and trace must be equal but for times and generated ids.
 */

const CONTRACTS: { name: string; [column: string]: unknown }[] = [
  { name: 'plain' },
  { name: 'never_asks', require_intent: 'never', resend: 'never', key_window_seconds: null },
  { name: 'always_asks', require_intent: 'always' },
  { name: 'approved', decision: 'automate_with_approval', approval_valid_seconds: 60 },
  { name: 'one_each', one_per_reference: true },
  { name: 'abandoned', abandon_after_seconds: 3_600 },
];

let fast: Side;
let alone: Side;

interface Side {
  database: TestDatabase;
  client: Client;
}

async function openSide(): Promise<Side> {
  const database = await testDatabase();
  const client = new Client({ connectionString: database.urls.superuser });
  await client.connect();
  for (const contract of CONTRACTS) await insertContract(client, contract);
  return { database, client };
}

beforeAll(async () => {
  [fast, alone] = await Promise.all([openSide(), openSide()]);
});
afterAll(async () => {
  await closeClients();
  for (const { client, database } of [fast, alone]) {
    await client.end();
    await database.drop();
  }
});

const store = (): Store => postgresStore(executorSql(fast.database.urls.executor));

/** `app.claim` or `app.transition`, which do each row alone. */
async function reference(call: string, rows: readonly object[]): Promise<unknown[]> {
  const sql = executorSql(alone.database.urls.executor);
  const [row] = await sql.unsafe<{ answer: { record: Row | null }[] }[]>(`select ${call} as answer`, [
    JSON.stringify(rows),
  ]);
  return (row?.answer ?? []).map((answer) => ({
    ...answer,
    record: answer.record && toRecord(answer.record),
  }));
}

/** Times become whether there is one; the rest must be equal. */
const untimed = (answers: readonly { record: OperationRecord | null }[] | unknown[]) =>
  (answers as { record: OperationRecord | null }[]).map(({ record, ...answer }) => ({
    ...answer,
    record: record && {
      ...record,
      first_recorded_at: record.first_recorded_at !== null,
      wait_ms: record.wait_ms > 0,
    },
  }));

const TIMES = [
  'lease_until',
  'first_sent_at',
  'sent_at',
  'quiet_until',
  'attempt_ended_at',
  'next_attempt_at',
  'recover_until',
  'case_at',
  'contradicted_at',
  'response_due_at',
  'expires_at',
  'tombstoned_at',
  'job_ended_at',
  'updated_at',
  'evidence_asked_at',
];

/**
 * Rows and trace of a tenant. Times are compared by their distance from one that the same event wrote: after a claim
 * all of them, later those of the end.
 */
async function stored({ client }: Side, tenant: string, after: 'claim' | 'end'): Promise<unknown> {
  const distance = (column: string, from: string) =>
    `'${column}', extract(epoch from o.${column} - o.${from})`;
  const distances =
    after === 'claim'
      ? TIMES.map((column) => distance(column, 'updated_at'))
      : [
          ...TIMES.map((column) => `'has_${column}', o.${column} is not null`),
          distance('quiet_until', 'sent_at'),
          distance('attempt_ended_at', 'updated_at'),
          distance('expires_at', 'updated_at'),
        ];
  const { rows: operations } = await client.query(
    `select to_jsonb(o) - $2::text[] || jsonb_build_object(${distances.join(', ')}) as o
     from public.tool_operations o where tenant_id = $1 order by operation_key`,
    [tenant, [...TIMES, 'created_at', 'evidence_id', 'epoch']],
  );
  const { rows: events } = await client.query(
    `select to_jsonb(e) - '{at,event_id}'::text[] as e from public.tool_operation_events e
     where tenant_id = $1 order by operation_key, event_id`,
    [tenant],
  );
  const { rows: approvals } = await client.query(
    `select operation_key, state, operation_version from public.approvals where tenant_id = $1 order by operation_key`,
    [tenant],
  );
  return { operations, events, approvals };
}

/** What has happened to a row between its claim and its end, written by hand on both sides. */
const MISHAPS = {
  none: null,
  'another attempt': `attempt = 2, sent_attempt = 2`,
  'an expired lease': `lease_until = clock_timestamp() - interval '1 second', case_at = clock_timestamp() + interval '59 seconds'`,
  'a shut key window': `first_sent_at = clock_timestamp() - interval '2 days'`,
  'time to abandon': `created_at = clock_timestamp() - interval '2 hours'`,
  'a job': `provider_job_id = 'job_1'`,
  'a sealed request': `request_sealed = '\\x01'`,
  'another executor’s row elsewhere': `adopted = true, environment = 'elsewhere'`,
  'a decision': `status = 'unknown', reason = 'no_answer', pending_reason = null, lease_token = null, lease_until = null, lease_owner = null, case_at = clock_timestamp()`,
} as const;

const call = fc.record({
  step: fc.integer({ min: 0, max: 9 }),
  tool: fc.constantFrom(...CONTRACTS.map(({ name }) => name), 'plain', 'plain', 'plain'),
  request: fc.integer({ min: 0, max: 12 }),
  intent: fc.constantFrom(null, null, 'event_1', 'event_2'),
  reference: fc.constantFrom(null, 'issue_1'),
  environment: fc.constantFrom('production', 'production', 'production', 'staging'),
  into: fc.constantFrom<ClaimRow['into']>('leased', 'leased', 'leased', 'awaiting_approval'),
  approval: fc.constantFrom(false, false, false, true),
  send: fc.constantFrom(true, true, true, false),
  sealed: fc.constantFrom(null, null, null, 'AQID'),
  redacted: fc.constantFrom({ a: 1 }, { note: 'nul \u0000 and half \ud800' }, { big: 1e21 }),
  trace: fc.constantFrom<ClaimRow['trace']>(
    {},
    {
      actor: 'agent:a',
      worker: 'w',
      trace_id: 'f'.repeat(32),
      span_id: 'a'.repeat(16),
      detail: { on_behalf_of: 'user' },
      steps: [
        { step: 'validated', ms_ago: 1.5 },
        { step: 'sent', ms_ago: 0, detail: { phase: 'delivery' } },
      ],
    },
  ),
});
/** A statement has one row of an operation: the merging store sees to it. */
const keyed = ({ step, environment }: Call) => `${environment}:${step}`;
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

function claimRow(tenant: string, given: Call): ClaimRow {
  const key = `${tenant}:${given.environment}:run_1:step_${given.step}`;
  return {
    tenant_id: tenant,
    environment: given.environment,
    operation_key: key,
    into: given.into,
    approval_required: given.approval,
    tool_name: given.tool,
    tool_version: '2026-08-18',
    connector: 'deskline',
    deploy: null,
    request_fingerprint: `sha256:${given.request}`,
    fingerprint_version: 1,
    request_redacted: given.redacted,
    request_sealed: given.sealed,
    intent_event: given.intent,
    business_reference: given.reference,
    workflow_id: 'run_1',
    step_id: `step_${given.step}`,
    actor: 'agent:a',
    lease_owner: 'w',
    lease_token: randomUUID(),
    send: given.send,
    downstream_key: key,
    downstream_request_id: randomUUID(),
    trace: given.trace,
  };
}

const end = fc.record({
  mishap: fc.constantFrom(
    ...(Object.keys(MISHAPS) as (keyof typeof MISHAPS)[]),
    'none' as const,
    'none' as const,
    'none' as const,
  ),
  fenced: fc.constantFrom(false, false, false, true),
  effect: fc.constantFrom('ticket_1', null),
  response: fc.constantFrom({ id: 't', n: [1, { b: 2, a: 'nul \u0000' }] }, 'text', null, 0),
  sealed: fc.constantFrom(null, null, null, 'AQID'),
  ended: fc.constantFrom(undefined, undefined, true, false),
});

describe('a statement of many rows', () => {
  test('claims, applies and replays as its rows would be alone: the same answers, rows and trace', async () => {
    const scenario = fc.record({
      calls: fc.uniqueArray(call, { minLength: 1, maxLength: 8, selector: keyed }),
      ends: fc.array(end, { minLength: 8, maxLength: 8 }),
      later: fc.uniqueArray(call, { minLength: 1, maxLength: 8, selector: keyed }),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ calls, ends, later }) => {
        const tenant = `t${randomUUID().slice(0, 8)}`;
        const both = async <T extends object>(
          call_: string,
          rows: readonly T[],
          send: (given: readonly T[]) => Promise<unknown[]>,
          after: 'claim' | 'end' = 'end',
        ) => {
          // what Postgres cannot hold is escaped by the store alone; it comes back as it was
          const plain = JSON.parse(JSON.stringify(rows).replaceAll(/\\u0000|\\ud800/g, '?')) as T[];
          const expected = untimed(await reference(call_, plain));
          expect(untimed(await send(plain))).toEqual(expected);
          expect(await stored(fast, tenant, after)).toEqual(await stored(alone, tenant, after));
        };
        const claimed = calls.map((given) => claimRow(tenant, given));
        await both('app.claim($1::text::jsonb)', claimed, (rows) => store().claim(rows), 'claim');

        for (const [i, { operation_key: key }] of claimed.entries()) {
          const mishap = MISHAPS[ends[i]?.mishap ?? 'none'];
          for (const { client } of [fast, alone])
            if (mishap !== null)
              await client.query(
                `update public.tool_operations set ${mishap} where operation_key = $1 and pending_reason = 'leased' and sent_attempt is not null`,
                [key],
              );
        }
        const applied = claimed.map((row, i): TransitionRow => {
          const given = ends[i];
          return {
            tenant_id: tenant,
            environment: row.environment,
            operation_key: row.operation_key,
            trace: row.trace,
            lease_token: given?.fenced ? randomUUID() : row.lease_token,
            effect_reference: given?.effect ?? null,
            response: given?.response ?? null,
            ...(given?.sealed && { response_sealed: given.sealed }),
            ...(given?.ended !== undefined && { ended: given.ended }),
          };
        });
        await both(`app.transition('apply', $1::text::jsonb)`, applied, (rows) =>
          store().transition('apply', rows),
        );
        await both(
          'app.claim($1::text::jsonb)',
          later.map((given) => claimRow(tenant, given)),
          (rows) => store().claim(rows),
        );
      }),
      { numRuns: 25, endOnFailure: true },
    );
  }, 120_000);

  test('of another event than apply is that event on each row', async () => {
    const tenant = `t${randomUUID().slice(0, 8)}`;
    const rows = [0, 1].map((step) => claimRow(tenant, { ...SIMPLE, step, request: step }));
    await store().claim(rows);
    const answers = await store().transition('doubt', rows.map(endOf));
    expect(answers.map(({ refusal, record }) => [refusal, record?.pending_reason])).toEqual([
      [null, 'recovering'],
      [null, 'recovering'],
    ]);
  });

  test('in an epoch that nobody accepted claims each row by rule 13', async () => {
    const tenant = `t${randomUUID().slice(0, 8)}`;
    await fast.client.query(`update app.epochs set accepted_at = null, accepted_by = null`);
    try {
      // a connection of its own: one that has claimed remembers its epoch
      const fresh = postgresStore(
        executorSql(fast.database.urls.executor, { max: 1, applicationName: tenant }),
      );
      const [answer] = await fresh.claim([claimRow(tenant, { ...SIMPLE, tool: 'never_asks' })]);
      expect(answer).toMatchObject({ claimed: false, refusal: 'fail_over' });
    } finally {
      await fast.client.query(`update app.epochs set accepted_at = now(), accepted_by = 'test'`);
    }
  });
});

describe('merged calls', () => {
  test('50 claims at once are each claimed once and applied once, whatever statement they shared', async () => {
    const tenant = `t${randomUUID().slice(0, 8)}`;
    const merged = mergingStore(store(), { clock: { now: () => 0, after: () => () => {} } });
    const rows = Array.from({ length: 50 }, (_, step) =>
      claimRow(tenant, { ...SIMPLE, step, request: step }),
    );
    const twice = await Promise.all(
      [...rows, ...rows.map((row) => ({ ...row, lease_token: randomUUID() }))].map((row) =>
        merged.claim([row]),
      ),
    );
    expect(twice.flat().filter(({ claimed }) => claimed).length).toBe(50);
    expect(twice.slice(0, 50).map(([answer]) => answer?.record?.lease_token)).toEqual(
      rows.map((row) => row.lease_token),
    );
    const ends = await Promise.all(
      rows.map((row) =>
        merged.transition('apply', [{ ...endOf(row), effect_reference: row.step_id, response: row.step_id }]),
      ),
    );
    expect(
      ends.map(([answer]) => [answer?.refusal, answer?.record?.operation_key, answer?.record?.response]),
    ).toEqual(rows.map((row) => [null, row.operation_key, row.step_id]));
    const { rows: counted } = await fast.client.query(
      `select count(*)::integer as n, count(distinct operation_key)::integer as keys from public.tool_operation_events where tenant_id = $1 and kind = 'apply'`,
      [tenant],
    );
    expect(counted).toEqual([{ n: 50, keys: 50 }]);
  });

  test('a row that the database refuses fails alone', async () => {
    const tenant = `t${randomUUID().slice(0, 8)}`;
    const merged = mergingStore(store(), { clock: { now: () => 0, after: () => () => {} } });
    const rows = [0, 1, 2].map((step) => ({
      ...claimRow(tenant, { ...SIMPLE, step, request: step }),
      ...(step === 1 && { tool_version: 'never registered' }),
    }));
    const ended = await Promise.allSettled(rows.map((row) => merged.claim([row])));
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

const SIMPLE: Call = {
  step: 0,
  tool: 'plain',
  request: 0,
  intent: null,
  reference: null,
  environment: 'production',
  into: 'leased',
  approval: false,
  send: true,
  sealed: null,
  redacted: { a: 1 },
  trace: {},
};

const endOf = (row: ClaimRow): TransitionRow => ({
  tenant_id: row.tenant_id,
  environment: row.environment,
  operation_key: row.operation_key,
  lease_token: row.lease_token,
  trace: {},
});
