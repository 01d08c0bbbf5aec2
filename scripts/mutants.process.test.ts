import { expect, test } from 'vitest';
import { runStep } from './run-step.ts';

/** The nightly run takes every rule and guard away; each change a thirtieth of them. */
const PART = '1/46';

test(`[S43] part ${PART} of the mutants: a rule or guard that is taken away turns a test or the simulation red`, async () => {
  const { ok, output } = await runStep(process.execPath, ['scripts/mutants.ts', '--part', PART]);
  expect(output).toMatch(/killed by/);
  expect({ ok, survived: output.match(/SURVIVED.*/g) }).toEqual({ ok: true, survived: null });
}, 900_000);
