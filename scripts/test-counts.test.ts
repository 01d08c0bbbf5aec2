import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countsOf } from './test-counts.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'replay-desk-counts-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function report(content: object): string {
  const file = path.join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}
const vitest = { success: true, numPassedTests: 9, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0 };

describe('countsOf', () => {
  test('a run that failed without a failed test counts as a failure', () => {
    const file = report({ ...vitest, success: false, numFailedTestSuites: 1 });
    expect(countsOf('vitest', file, false)).toEqual({ passed: 9, failed: 1, skipped: 1 });
    expect(countsOf('vitest', file, true)).toEqual({ passed: 9, failed: 0, skipped: 1 });
  });

  test('a report that is not there counts as a failure, whatever the exit code said', () => {
    expect(countsOf('playwright', path.join(folder, 'none.json'), true)).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
    });
  });

  test('a journey that passed only at its second try is a failure', () => {
    const file = report({ errors: [], stats: { expected: 3, unexpected: 0, flaky: 1, skipped: 0 } });
    expect(countsOf('playwright', file, true)).toEqual({ passed: 3, failed: 1, skipped: 0 });
  });
});
