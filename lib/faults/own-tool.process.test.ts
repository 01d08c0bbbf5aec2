import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { latestPassedRun } from '../../db/queries/fault_runs/latest-passed-run.ts';
import { recordFaultRun } from '../../db/queries/fault_runs/record-fault-run.ts';
import { statementClient, type Sql } from '../../db/statement-client.ts';
import { askGate } from './gate.ts';
import { play } from './play.ts';
import { keepRegression, readRegressions, regressionOf } from './regression.ts';
import type { FaultReport } from './report.ts';
import { reportText } from './report-text.ts';
import { EVERY_ROW } from './rows/every-row.ts';
import { runTool } from './run-tool.ts';
import type { FaultSubject } from './subject.ts';
import { startFaultDatabase } from './testing/fault-database.ts';
import keyless from './testing/keyless-subject.ts';
import own from './testing/own-subject.ts';
import { openTheatre } from './theatre.ts';

const moduleOf = (name: string) => path.join(import.meta.dirname, `testing/${name}.ts`);
let database: Awaited<ReturnType<typeof startFaultDatabase>>;
let sql: Sql;
beforeAll(async () => {
  database = await startFaultDatabase();
  sql = statementClient(database.urls.executor, { max: 1 });
});
afterAll(async () => {
  await sql.end({ timeout: 2 });
  await database.stop();
});

const run = (module: string, subject: FaultSubject, ...ids: string[]): Promise<FaultReport> =>
  runTool({
    module: moduleOf(module),
    subject,
    databaseUrl: database.urls.executor,
    timings: 1,
    only: ({ id }) => ids.length === 0 || ids.includes(id),
  });

test(
  'a tool of one’s own is played with its own fake downstream; what that cannot do is named',
  { timeout: 240_000 },
  async () => {
    const report = await run('own-subject', own);
    const of = (verdict: string) => report.rows.filter((row) => row.verdict === verdict).map(({ id }) => id);
    expect(of('failed')).toEqual([]);
    expect(of('passed')).toEqual(
      expect.arrayContaining(['T1.1', 'T1.2', 'T1.3', 'T1.4', 'T1.7', 'T2.3', 'T2.6']),
    );
    const job = report.rows.find(({ id }) => id === 'T1.9');
    expect(job).toMatchObject({ passed: false, verdict: 'not_applicable', evidence: null });
    expect(report.rows.find(({ id }) => id === 'T2.4')?.observed).toBe(
      'not_applicable: the fake downstream has no hold',
    );
    // shorter times are another contract, and the report says so; it stands for the shipped one
    expect(report.played_digest).not.toBe(report.contract_digest);
    expect(reportText(report)).toContain(`played with shorter times, contract ${report.played_digest}`);

    const gate = async () => (await askGate(sql, [own]))[0];
    expect(await gate()).toMatchObject({ open: false, age_days: null });
    await recordFaultRun(sql, { ...report, passed: false });
    expect(await gate()).toMatchObject({ open: false });
    await recordFaultRun(sql, report);
    expect(await gate()).toMatchObject({
      open: true,
      contract_digest: report.contract_digest,
      max_age_days: 30,
    });
    expect(await latestPassedRun(sql, own.name, report.played_digest)).toEqual([]);
    // nobody changes a run afterwards, nor makes an old one young
    await expect(sql`update public.fault_runs set passed = true`).rejects.toThrow();
    await expect(sql`delete from public.fault_runs`).rejects.toThrow();
  },
);

test('[B20] a provider that never sees the key fails the run loudly', { timeout: 120_000 }, async () => {
  const report = await run('keyless-subject', keyless, 'T1.1', 'T1.2', 'T1.3');
  expect(report.passed).toBe(false);
  expect(report.rows.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'T1.1 failed',
    'T1.2 failed',
    'T1.3 failed',
  ]);
  expect(report.rows[1]?.observed).toContain('1 effect downstream, not 0');
  expect(reportText(report)).toContain('FAILED');
});

test(
  'a failure is kept with key, fingerprint, receipt and final state, and read again',
  { timeout: 120_000 },
  async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'replay-desk-kept-'));
    const theatre = await openTheatre(moduleOf('keyless-subject'), keyless, database.urls.executor);
    try {
      const row = EVERY_ROW.find(({ id }) => id === 'T1.2');
      const timing = row?.timings[0];
      if (row === undefined || timing === undefined) throw new Error('no row T1.2');
      const played = await play(theatre, row, timing, 7);
      const file = keepRegression(dir, regressionOf(keyless.name, theatre.shippedDigest, row, played));
      expect(readRegressions(dir)).toEqual([JSON.parse(readFileSync(file, 'utf8'))]);
      expect(readRegressions(dir)[0]).toMatchObject({
        row: 'T1.2',
        timing: timing.name,
        seed: 7,
        operation_key: expect.stringContaining('_T1.2:step_'),
        fingerprint: expect.stringMatching(/^sha256:/),
        final_state: { status: 'applied' },
      });
    } finally {
      await theatre.close();
      rmSync(dir, { recursive: true });
    }
  },
);
