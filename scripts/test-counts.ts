import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

export type Counts = { passed: number; failed: number; skipped: number };

const vitestReport = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numFailedTestSuites: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
});
const playwrightReport = z.object({
  errors: z.array(z.unknown()),
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
});

/**
 * What a runner's JSON report counted. A run that failed without a failed test (a file that does not load, a report
 * that is not there) counts as one failure: a green sum never hides it.
 */
export function countsOf(runner: 'vitest' | 'playwright', file: string, ok: boolean): Counts {
  const counted = runner === 'vitest' ? readVitest(file) : readPlaywright(file);
  return ok || counted.failed > 0 ? counted : { ...counted, failed: 1 };
}

function readVitest(file: string): Counts {
  const report = vitestReport.safeParse(read(file)).data;
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const skipped = report.numPendingTests + report.numTodoTests;
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped };
}

function readPlaywright(file: string): Counts {
  const report = playwrightReport.safeParse(read(file)).data;
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky, skipped };
}

function read(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
