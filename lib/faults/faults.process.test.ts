import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRegressions } from './regression.ts';
import type { FaultReport } from './report.ts';
import { runTool } from './run-tool.ts';
import { loadSubjects } from './subject.ts';
import { startFaultDatabase } from './testing/fault-database.ts';

/** The whole of it, every tool and timing, is `npm run faults`; here one tool with one timing of each row. */
const DEMO = path.resolve(import.meta.dirname, '../demo/faults/subjects.ts');

let database: Awaited<ReturnType<typeof startFaultDatabase>>;
beforeAll(async () => {
  database = await startFaultDatabase();
});
afterAll(() => database.stop());

async function subjectOf(module: string, name: string) {
  const subject = (await loadSubjects(module)).find((one) => one.name === name);
  if (subject === undefined) throw new Error(`${module} has no ${name}`);
  return subject;
}

const failures = (report: FaultReport) =>
  report.rows.filter(({ verdict }) => verdict === 'failed').map(({ id, observed }) => `${id}: ${observed}`);

test('tickets.create passes every fault row that applies to it', { timeout: 240_000 }, async () => {
  const subject = await subjectOf(DEMO, 'tickets.create');
  const report = await runTool({ module: DEMO, subject, databaseUrl: database.urls.executor, timings: 1 });
  expect(failures(report)).toEqual([]);
  expect(report.passed).toBe(true);
  // those of delayed jobs and of versions are played by invoices.generate and tickets.close
  const left = report.rows.filter(({ verdict }) => verdict === 'not_applicable').map(({ id }) => id);
  expect(left).toEqual(['T1.9', 'T2.9', 'T3.1', 'T3.2']);
  expect(report.rows).toHaveLength(21);
  for (const { passed, evidence } of report.rows.filter((row) => row.passed)) {
    expect(passed).toBe(true);
    expect(evidence?.operation_key).toMatch(/^acme:faults:run_[0-9a-f]{8}_T/);
    expect(evidence?.trace).toContain('claim');
  }
  // no payload of any call stands in the artifact
  const text = JSON.stringify(report);
  for (const payload of ['duplicate charge', 'Refund request', 'cus_1']) expect(text).not.toContain(payload);
});

test('the delayed job and the changed version pass where a tool has them', { timeout: 240_000 }, async () => {
  for (const [name, rows] of [
    ['invoices.generate', ['T1.9', 'T2.9']],
    ['tickets.close', ['T3.1', 'T3.2']],
  ] as const) {
    const subject = await subjectOf(DEMO, name);
    const report = await runTool({
      module: DEMO,
      subject,
      databaseUrl: database.urls.executor,
      timings: 1,
      only: ({ id }) => (rows as readonly string[]).includes(id),
    });
    expect(failures(report)).toEqual([]);
    expect(report.rows.filter(({ passed }) => passed).map(({ id }) => id)).toEqual(rows);
  }
});

const kept = readRegressions(path.join(import.meta.dirname, 'regressions'));

test('every kept failure passes when it is played again', { timeout: 240_000 }, async () => {
  expect(kept.length).toBeGreaterThan(0);
  for (const { tool, row, timing, seed } of kept) {
    const subject = await subjectOf(DEMO, tool);
    const report = await runTool({
      module: DEMO,
      subject,
      databaseUrl: database.urls.executor,
      only: (one, how) => one.id === row && how.name === timing,
      seed,
    });
    expect(failures(report)).toEqual([]);
    // a case whose row or timing was renamed is not played, which is no pass
    expect(report.rows.map(({ id, passed }) => [id, passed])).toEqual([[row, true]]);
  }
});
