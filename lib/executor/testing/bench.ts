import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { expect } from 'vitest';
import { closeClients, executorSql } from '../../../db/client.ts';
import { testDatabase, type TestDatabase } from '../../../db/testing/test-database.ts';
import { desklineControl, type DesklineControl } from '../../demo/deskline/client.ts';
import { startDeskline, type Deskline } from '../../demo/deskline/start-deskline.ts';
import { createExecutor, postgresStore, type Executor, type ExecutorOptions, type Store } from '../index.ts';
import type { Authorize, OperationContext, Tool } from '../index.ts';

/** A row, an event or a piece of evidence as the database has it. */
export type Stored = Record<string, unknown>;

/** An executor's world for one test file: a database and a Deskline of its own, seen from outside the executor. */
export type Bench = {
  database: TestDatabase;
  deskline: Deskline;
  control: DesklineControl;
  store: Store;
  /** An executor on this database; permits everything unless told otherwise. */
  executor: (tools: readonly Tool[], options?: Partial<ExecutorOptions>) => Promise<Executor>;
  /** Runs one statement as superuser, where no rule of ours stands in between. */
  sql: (text: string, values?: unknown[]) => Promise<Stored[]>;
  row: (key: string) => Promise<Stored>;
  rows: () => Promise<number>;
  /** The trace, oldest first. */
  events: (key: string) => Promise<Stored[]>;
  kinds: (key: string) => Promise<unknown[]>;
  lookups: (key: string) => Promise<Stored[]>;
  /** The references of the records that Deskline counted for a key, whatever anybody was answered. */
  effects: (key: string) => Promise<string[]>;
  /** Lets time pass for one operation: its row's times are that much further back. */
  pass: (key: string, seconds: number) => Promise<void>;
  /** Lets time pass for every operation, and for what is known of their providers. */
  passForAll: (seconds: number) => Promise<void>;
  close: () => Promise<void>;
};

export const permit: Authorize = async () => ({ allowed: true, policyVersion: 'policy-1' });

export async function openBench(): Promise<Bench> {
  const dir = await mkdtemp(path.join(tmpdir(), 'executor-'));
  const [database, deskline] = await Promise.all([
    testDatabase(),
    startDeskline({ port: 0, dir, allowReset: true }),
  ]);
  const client = new Client({ connectionString: database.urls.superuser });
  client.on('error', () => {});
  await client.connect();
  const control = desklineControl(deskline.url);
  const store = postgresStore(executorSql(database.urls.executor));
  const sql = async (text: string, values: unknown[] = []) => (await client.query<Stored>(text, values)).rows;
  const of = (table: string, order: string) => (key: string) =>
    sql(`select * from public.${table} where operation_key = $1 order by ${order}`, [key]);
  const events = of('tool_operation_events', 'event_id');
  return {
    database,
    deskline,
    control,
    store,
    sql,
    events,
    executor: (tools, options = {}) =>
      createExecutor({
        store,
        environments: ['production', 'staging'],
        tools,
        authorize: permit,
        worker: 'worker-1',
        ...options,
      }),
    row: async (key) => {
      const [row] = await of('tool_operations', 'tenant_id')(key);
      if (row === undefined) throw new Error(`no operation ${key}`);
      return row;
    },
    rows: async () => Number((await sql('select count(*) from public.tool_operations'))[0]?.['count']),
    kinds: async (key) => (await events(key)).map(({ kind }) => kind),
    lookups: of('lookups', 'answered_at'),
    effects: async (key) =>
      (await control.effectsFor(key))
        .filter(({ kind }) => kind === 'record')
        .map(({ reference }) => reference),
    pass: async (key, seconds) => {
      for (const [table, columns] of Object.entries(TIMES_OF_ONE))
        await sql(`update public.${table} set ${earlier(columns, '$2')} where operation_key = $1`, [
          key,
          seconds,
        ]);
    },
    passForAll: async (seconds) => {
      for (const [table, columns] of Object.entries(TIMES_OF_ALL))
        await sql(`update public.${table} set ${earlier(columns, '$1')}`, [seconds]);
    },
    close: async () => {
      await deskline.close();
      await client.end();
      await closeClients();
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const TIMES_OF_ONE = {
  tool_operations: [
    'lease_until',
    'first_sent_at',
    'sent_at',
    'quiet_until',
    'attempt_ended_at',
    'next_attempt_at',
    'recover_until',
    'evidence_asked_at',
    'case_at',
    'created_at',
    'updated_at',
    'expires_at',
  ],
  approvals: ['valid_until'],
};
const TIMES_OF_ALL = { ...TIMES_OF_ONE, connector_health: ['failing_since', 'failed_at', 'answered_at'] };

const earlier = (columns: readonly string[], seconds: string) =>
  columns.map((column) => `${column} = ${column} - make_interval(secs => ${seconds})`).join(', ');

let steps = 0;

/** A step of its own for each call, with the workflow event that asks for it; the key that it gives is `keyOf`. */
export const newStep = (change: Partial<OperationContext> = {}): OperationContext => ({
  tenantId: 'acme',
  environment: 'production',
  workflowId: 'run_1',
  stepId: `step_${++steps}`,
  actor: { id: 'agent:planner' },
  intentEvent: `event_${steps}`,
  ...change,
});

export const keyOf = ({ tenantId, environment, workflowId, stepId }: OperationContext): string =>
  [tenantId, environment, workflowId, stepId].join(':');

/** A version of its own, since a contract that a test changes is another contract. */
export const newVersion = (): string => `test-${++steps}`;

export const TICKET = {
  queue_id: 'support',
  subject: 'Refund request',
  body: 'A duplicate charge.',
  customer_id: 'cus_1',
};
export const PAYMENT = { amount: 1250, currency: 'EUR', invoice_id: 'inv_7', customer_id: 'cus_1' };
export const MESSAGE = { to: 'cus_1', template: 'refund_done', text: 'Your refund is on its way.' };

/** Resolves once `holds` does; for what another process, connection or promise brings about. */
export async function until(holds: () => boolean | Promise<boolean>, what = 'the condition'): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what} did not come about in 20 s`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A promise that is settled from outside. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** The authorization answers of a trace, in order: `phase:allowed`. */
export const authorizations = (events: Stored[]): string[] =>
  events.flatMap(({ steps: marks }) =>
    (marks as { step: string; detail?: Stored }[])
      .filter(({ step }) => step === 'authorized')
      .map(({ detail }) => `${String(detail?.['phase'])}:${String(detail?.['allowed'])}`),
  );

/** Every row obeys the table's CHECKs by construction; this one is for what no CHECK says. */
export function expectNothingRevealed(outcome: Stored): void {
  expect(outcome).toMatchObject({ effect_reference: null, result: null, attempt: 0, repeated: false });
  for (const field of ['successor_key', 'first_recorded_at', 'retry_after_seconds'])
    expect(outcome).not.toHaveProperty(field);
}
