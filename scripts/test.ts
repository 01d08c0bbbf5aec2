import { mkdirSync, rmSync } from 'node:fs';
import { ensureBuild } from '../lib/demo/supervisor/build.ts';
import { ensureChromium } from './chromium.ts';
import { runStep, tool } from './run-step.ts';
import { countsOf, type Counts } from './test-counts.ts';

/**
 * Everything that can be tested here: the vitest projects, the production build, the browser journeys.
 * Ends with one plain line of the sum, and with 1 when anything failed.
 */
const UNIT_REPORT = 'test-results/vitest.json';
const E2E_REPORT = 'test-results/e2e.json';
const started = performance.now();
const say = (message: string) => {
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`[test +${seconds} s] ${message}`);
};

async function runVitest(): Promise<Counts> {
  say('unit, database and process tests');
  const args = ['run', '--reporter', 'default', '--reporter', 'json', `--outputFile.json=${UNIT_REPORT}`];
  const { ok } = await runStep(tool('vitest'), args, { echo: true });
  return countsOf('vitest', UNIT_REPORT, ok);
}

async function runJourneys(): Promise<Counts> {
  say('production build');
  try {
    await ensureBuild(say);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  say('browser journeys');
  const { ok } = await runStep(process.execPath, ['scripts/e2e.ts'], { echo: true });
  return countsOf('playwright', E2E_REPORT, ok);
}

rmSync('test-results', { recursive: true, force: true });
mkdirSync('test-results');
ensureChromium(say); // now rather than after ten minutes of other tests
const parts = [await runVitest(), await runJourneys()];
const sum = (kind: keyof Counts) => parts.reduce((total, counts) => total + counts[kind], 0);
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
say('done');
console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
process.exitCode = sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
