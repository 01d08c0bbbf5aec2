import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { consoleSql, executorSql, type Sql } from '../../../db/client.ts';
import { testDatabase, type TestDatabase } from '../../../db/testing/test-database.ts';
import { foreignEnvironment } from '../../env.ts';
import { operationKey } from '../../executor/index.ts';
import { desklineControl, type DesklineControl } from '../deskline/client.ts';
import { freePort } from '../supervisor/port.ts';
import { demoStatus } from '../status/demo-status.ts';
import { readJournal } from './journal-reader.ts';
import { planItem } from './plan/plan.ts';
import type { Step } from './plan/step.ts';

const SEED = 'test';
/** Four workers die in it: three before the record and one before the wire. */
const ITEMS = 51;
const steps: Step[] = Array.from({ length: ITEMS }, (_, number) => planItem(SEED, number)).flatMap((item) =>
  item.do === 'step' ? [item.step] : [],
);
const file = (name: string) => path.join(import.meta.dirname, name);
const dieWithParent = pathToFileURL(file('../supervisor/die-with-parent.ts')).href;

let database: TestDatabase;
let dir: string;
let deskline: ChildProcess;
let control: DesklineControl;
let desklineUrl: string;
let sql: Sql;

/** A program of ours, started as the supervisor starts it; settles when it says that it is ready. */
async function start(name: string, args: string[], env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = fork(file(name), args, {
    execArgv: ['--import', dieWithParent],
    env: { ...foreignEnvironment(), NODE_ENV: 'test', LOG_LEVEL: 'fatal', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let words = '';
  child.stdout?.on('data', (chunk: Buffer) => (words += chunk.toString()));
  await vi.waitFor(() => expect(words).toMatch(/\] ready/), { timeout: 60_000, interval: 20 });
  return child;
}

const startWorkload = () =>
  start('main.ts', ['--seed', SEED, '--items', String(ITEMS), '--pace', '10'], {
    DATABASE_EXECUTOR_URL: database.urls.executor,
    DESKLINE_URL: desklineUrl,
    DATA_DIR: dir,
  });

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'workload-'));
  const port = await freePort();
  desklineUrl = `http://127.0.0.1:${port}`;
  control = desklineControl(desklineUrl);
  [database, deskline] = await Promise.all([
    testDatabase(),
    start('../deskline/main.ts', ['--port', String(port), '--data', path.join(dir, 'deskline')]),
  ]);
  sql = executorSql(database.urls.executor, { max: 2 });
});
afterAll(async () => {
  deskline.kill('SIGTERM');
  await once(deskline, 'exit');
  await database.drop();
  rmSync(dir, { recursive: true });
});

type Row = {
  operation_key: string;
  tool_name: string;
  status: string;
  pending_reason: string | null;
  attempt: number;
  has_owner: boolean;
};
const operations = () => sql<Row[]>`
  select operation_key, tool_name, status, pending_reason, attempt, case_at is not null as has_owner
    from public.tool_operations order by operation_key`;

/** Ended, a person's, or, where the lookup of refunds is down for longer than this test waits, recovering by date. */
const stands = ({ tool_name: tool, status, pending_reason: reason, attempt }: Row) =>
  status !== 'pending' ||
  (reason === 'ready' && attempt === 3) ||
  (reason === 'recovering' && tool === 'refunds.create');

async function assertOneEffectEach(): Promise<void> {
  const effects = await control.effects();
  for (const resource of ['tickets', 'refunds', 'ticket_closures', 'payments'] as const)
    expect(effects[resource]).toMatchObject({ max_effects_per_key: 1, records: effects[resource].keys });
}

describe('workload', () => {
  test('[B22][B23] workers killed before the wire and before the record, answers lost and steps delivered again make one effect a key', async () => {
    let workload = await startWorkload();
    await vi.waitFor(
      async () => {
        const rows = await operations();
        expect(rows.map((row) => row.operation_key)).toEqual(
          steps.map((step) => operationKey(step)).toSorted(),
        );
        expect(rows.filter((row) => !stands(row))).toEqual([]);
      },
      { timeout: 100_000, interval: 250 },
    );
    const kills = readJournal(path.join(dir, 'workload'))?.kills ?? 0;
    expect(kills).toBeGreaterThanOrEqual(3);
    await assertOneEffectEach();
    const rows = await operations();
    expect(rows.filter((row) => row.status === 'pending' && !row.has_owner)).toEqual([]);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['applied', 'pending', 'unknown']));

    await vi.waitFor(
      async () => {
        const status = await demoStatus({
          auditorUrl: database.urls.auditor,
          desklineUrl,
          workerKills: kills,
        });
        expect(status).toMatchObject({
          worker_kills: kills,
          rejected: { fingerprint_mismatch: 1 },
          decisions: 0,
        });
        expect(status.max_effects_per_key).toEqual({
          tickets: 1,
          payments: 1,
          refunds: 1,
          ticket_closures: 1,
          invoices: 0, // no agent of the demo generates any
        });
      },
      { timeout: 20_000, interval: 250 },
    );

    // killed outright, it starts again, continues, and what it delivers again changes nothing
    workload.kill('SIGKILL');
    await once(workload, 'exit');
    const before = await control.effects();
    const replaysBefore = await replays();
    workload = await startWorkload();
    await vi.waitFor(async () => expect(await replays()).toBeGreaterThan(replaysBefore), {
      timeout: 60_000,
      interval: 100,
    });
    workload.kill('SIGTERM');
    const [code] = (await once(workload, 'exit')) as [number | null];
    expect(code).toBe(0);
    expect(await control.effects()).toEqual(before);
    expect(await workersLeft()).toBe(0);
  }, 180_000);
});

async function replays(): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from public.tool_operation_events where kind = 'replayed'`;
  return row?.n ?? 0;
}

async function workersLeft(): Promise<number> {
  const [row] = await consoleSql(database.urls.superuser)<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity where application_name = 'replay-desk worker' and datname = current_database()`;
  return row?.n ?? 0;
}
