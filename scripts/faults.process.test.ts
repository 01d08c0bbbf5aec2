import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { foreignEnvironment } from '../lib/env.ts';
import { startFaultDatabase } from '../lib/faults/testing/fault-database.ts';

const OWN = path.resolve(import.meta.dirname, '../lib/faults/testing/own-subject.ts');

/** `npm run faults` with these arguments and settings, whatever this process was given. */
const faults = (args: string[], settings: Record<string, string> = {}) =>
  new Promise<{ code: number; out: string; told: string }>((resolve) => {
    execFile(
      process.execPath,
      [path.join(import.meta.dirname, 'faults.ts'), ...args],
      { env: { ...foreignEnvironment(), NODE_ENV: 'production', ...settings } },
      (error, out, told) => resolve({ code: error === null ? 0 : Number(error.code), out, told }),
    );
  });

test(
  'the gate is closed before a run and open after one that passed and was stored',
  { timeout: 240_000 },
  async () => {
    const database = await startFaultDatabase();
    const settings = { DATABASE_EXECUTOR_URL: database.urls.executor };
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'replay-desk-report-')), 'run.json');
    try {
      const closed = await faults(['--module', OWN, '--gate'], settings);
      expect(closed).toMatchObject({ code: 1 });
      expect(closed.out).toMatch(/^CLOSED {2}rooms\.book .*no run of this contract passed/);

      const run = await faults(['--module', OWN, '--timings', '1', '--json', file], settings);
      expect(run).toMatchObject({ code: 0 });
      expect(run.out).toContain('rooms.book 2026-12-01: passed');
      expect(run.told).toContain('Stored the run for the console and --gate.');
      const report = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
      expect(report).toMatchObject({ tool: 'rooms.book', passed: true });
      expect(report['contract_digest']).toMatch(/^sha256:/);
      expect(report['rows']).toHaveLength(21);

      const open = await faults(['--module', OWN, '--gate', '--json'], settings);
      expect(open).toMatchObject({ code: 0 });
      expect(JSON.parse(open.out)).toMatchObject({ gate: [{ tool: 'rooms.book', open: true }] });
    } finally {
      await database.stop();
    }
  },
);

test.each([
  ['a gate without a database', ['--gate'], /DATABASE_EXECUTOR_URL is not set/],
  ['a tool that is not there', ['--tool', 'tickets.burn'], /tickets\.burn is none of: tickets\.create, /],
  ['no number of timings', ['--timings', '0'], /--timings must be a number from 1/],
  ['a module that exports no subject', ['--module', 'lib/errors.ts'], /must be a FaultSubject/],
])('%s is refused with a sentence', async (_name, args, sentence) => {
  const refused = await faults(args);
  expect(refused.code).toBe(1);
  expect(refused.told).toMatch(sentence);
  expect(refused.out).toBe('');
});
