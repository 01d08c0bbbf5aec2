import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { recordFaultRun } from '../db/queries/fault_runs/record-fault-run.ts';
import { statementClient } from '../db/statement-client.ts';
import { env, need } from '../lib/env.ts';
import { askGate } from '../lib/faults/gate.ts';
import { keepRegression, regressionOf, type Regression } from '../lib/faults/regression.ts';
import type { FaultReport, PlayedTiming } from '../lib/faults/report.ts';
import { gateText, reportText } from '../lib/faults/report-text.ts';
import type { FaultRow } from '../lib/faults/row.ts';
import { runTool } from '../lib/faults/run-tool.ts';
import { loadSubjects, type FaultSubject } from '../lib/faults/subject.ts';
import { startFaultDatabase } from '../lib/faults/testing/fault-database.ts';

const USAGE = `usage: npm run faults [-- [--tool NAME] [--module FILE] [--timings N] [--seed N] [--json [FILE]] [--keep DIR] [--gate]]`;
const DEMO = path.resolve(import.meta.dirname, '../lib/demo/faults/subjects.ts');

/**
 * `npm run faults`: the article's fault rows on the real executor in worker processes, a Postgres of its own and the
 * fake downstream of each tool. Ends with 1 when a row failed, or with `--gate` when a tool has no young passed run.
 */
async function main(): Promise<void> {
  const options = readArguments();
  const all = await loadSubjects(options.module);
  const subjects = options.tool === undefined ? all : all.filter(({ name }) => name === options.tool);
  if (subjects.length === 0)
    throw new Error(`${options.tool} is none of: ${all.map(({ name }) => name).join(', ')}`);
  if (options.gate) return await gate(subjects, options.json);

  const reports = await play(subjects, options);
  await store(reports);
  const written = reports.length === 1 ? reports[0] : { runs: reports };
  if (options.json !== '-') console.log(reports.map(reportText).join('\n\n\n'));
  write(options.json, written);
  if (reports.some(({ passed }) => !passed)) process.exitCode = 1;
}

type Options = ReturnType<typeof readArguments>;

async function play(subjects: readonly FaultSubject[], options: Options): Promise<FaultReport[]> {
  const database = await startFaultDatabase();
  const stop = () => void database.stop().finally(() => process.exit(130));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    const reports: FaultReport[] = [];
    for (const subject of subjects) {
      const failed: { row: FaultRow; played: PlayedTiming }[] = [];
      const report = await runTool({
        module: options.module,
        subject,
        databaseUrl: database.urls.executor,
        ...(options.timings !== undefined && { timings: options.timings }),
        seed: options.seed,
        progress: (done, of, row, played) => {
          if (played.verdict === 'failed') failed.push({ row, played });
          console.error(
            `[${subject.name} ${done}/${of}] ${row.id} ${played.name}: ${played.verdict === 'not_applicable' ? played.observed : `${played.verdict}, ${played.seconds} s`}`,
          );
        },
      });
      reports.push(report);
      const kept: Regression[] = failed.map(({ row, played }) =>
        regressionOf(report.tool, report.contract_digest, row, played),
      );
      if (options.keep !== undefined)
        for (const one of kept) console.error(`kept ${keepRegression(options.keep, one)}`);
    }
    return reports;
  } finally {
    await database.stop();
  }
}

/** The console reads runs from the product's own database, not from the one of the run. */
async function store(reports: readonly FaultReport[]): Promise<void> {
  const url = env().DATABASE_EXECUTOR_URL;
  if (url === undefined) {
    console.error(
      'Not stored: DATABASE_EXECUTOR_URL is not set, so neither the console nor --gate knows of this run.',
    );
    return;
  }
  const sql = statementClient(url, { max: 1 });
  try {
    for (const report of reports) await recordFaultRun(sql, report);
    console.error(
      `Stored ${reports.length === 1 ? 'the run' : `${reports.length} runs`} for the console and --gate.`,
    );
  } finally {
    await sql.end({ timeout: 2 });
  }
}

async function gate(subjects: readonly FaultSubject[], json: string | undefined): Promise<void> {
  const sql = statementClient(need('DATABASE_EXECUTOR_URL'), { max: 1 });
  try {
    const answers = await askGate(sql, subjects);
    if (json !== '-') console.log(gateText(answers));
    write(json, { gate: answers });
    if (answers.some(({ open }) => !open)) process.exitCode = 1;
  } finally {
    await sql.end({ timeout: 2 });
  }
}

function write(file: string | undefined, value: unknown): void {
  if (file === undefined) return;
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (file === '-') process.stdout.write(text);
  else writeFileSync(file, text);
}

function readArguments() {
  // a bare --json goes to standard output, as everywhere
  const args = process.argv
    .slice(2)
    .flatMap((arg, i, all) =>
      arg === '--json' && (all[i + 1] ?? '--').startsWith('--') ? ['--json=-'] : [arg],
    );
  const { values } = parseArgs({
    args,
    options: {
      tool: { type: 'string' },
      module: { type: 'string' },
      json: { type: 'string' },
      keep: { type: 'string' },
      timings: { type: 'string' },
      seed: { type: 'string', default: '1' },
      gate: { type: 'boolean', default: false },
    },
  });
  const number = (name: string, text: string) => {
    if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`--${name} must be a number from 1\n${USAGE}`);
    return Number(text);
  };
  return {
    tool: values.tool,
    module: values.module === undefined ? DEMO : path.resolve(values.module),
    json: values.json,
    keep: values.keep,
    timings: values.timings === undefined ? undefined : number('timings', values.timings),
    seed: number('seed', values.seed),
    gate: values.gate,
  };
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
