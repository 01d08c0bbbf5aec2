import { runStep } from './run-step.ts';

/** What takes too long for every change, whole: one line for each, and the words of those that fail. */
const STEPS: ReadonlyArray<readonly [name: string, ...args: string[]]> = [
  ['simulation', 'scripts/simulate.ts'],
  ['mutants', 'scripts/mutants.ts'],
  ['faults', 'scripts/faults.ts'],
  ['faults injected by seed', 'scripts/chaos.ts', '--seeds', '500'],
  ['load under kills', 'scripts/chaos.ts', '--deliveries', '10000', '--keys', '1000', '--processes', '8'],
  ['benchmarks', 'bench/main.ts'],
];

let failed = 0;
for (const [name, ...args] of STEPS) {
  const { ok, seconds } = await runStep(process.execPath, args, { echo: true });
  if (!ok) failed += 1;
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(16)} ${seconds.toFixed(0).padStart(6)} s`);
}
process.exitCode = failed === 0 ? 0 : 1;
