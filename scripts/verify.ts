import { runStep, tool, type StepResult } from './run-step.ts';

/**
 * What a change must pass before anything else: one line for each check, and the words of those that fail.
 * Two at a time, longest first: more do not help on two cores.
 */
const CHECKS: ReadonlyArray<readonly [name: string, command: string, ...args: string[]]> = [
  ['unit tests', tool('vitest'), 'run', '--project', 'unit', '--reporter', 'dot'],
  ['types', 'npm', 'run', '--silent', 'typecheck'],
  ['format', tool('prettier'), '--check', '--log-level', 'warn', '.'],
  ['dead code', tool('knip')],
  ['schema snapshot', process.execPath, 'scripts/db-snapshot.ts', '--check'],
  ['lint', tool('oxlint')],
  ['architecture', tool('depcruise'), '.', '--config', '.dependency-cruiser.cjs'],
];
const AT_ONCE = 2;

function report(name: string, { ok, output, seconds }: StepResult): void {
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(16)} ${seconds.toFixed(1).padStart(5)} s`);
  if (!ok) console.log(`${output.trim().replaceAll(/^/gm, '        ')}\n`);
}

const started = performance.now();
const waiting = [...CHECKS];
let failed = 0;

async function work(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    const [name, command, ...args] = check;
    const result = await runStep(command, args, { env: { FORCE_COLOR: '0' } });
    if (!result.ok) failed += 1;
    report(name, result);
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
const seconds = ((performance.now() - started) / 1_000).toFixed(1);
console.log(failed === 0 ? `\nAll checks passed in ${seconds} s.` : `\n${failed} failed, in ${seconds} s.`);
process.exitCode = failed === 0 ? 0 : 1;
