import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CONFIGURATIONS } from '../lib/executor/simulation/configurations.ts';
import { replay } from '../lib/executor/simulation/explore.ts';
import { simulate } from '../lib/executor/simulation/simulate.ts';

/**
 * Explores the executor's real code over a simulated store, clock, network and downstream; what it covers, and how much,
 * is in docs/simulation.md. Ends with 1 where a rule was broken, or a state was not reached that must be.
 */
const { values } = parseArgs({
  options: {
    depth: { type: 'string', default: '7' },
    seeds: { type: 'string', default: '400000' },
    'first-seed': { type: 'string', default: '1' },
    threads: { type: 'string' },
    json: { type: 'string' },
    replay: { type: 'string' },
    'until-violation': { type: 'boolean', default: false },
  },
});

/** A whole number of the command line. */
function count(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} takes a whole number`);
  return Number(text);
}

if (values.replay !== undefined) {
  const { violation, trace } = await replay(CONFIGURATIONS, values.replay);
  for (const [n, line] of trace.entries()) console.log(`${String(n + 1).padStart(3)}  ${line}`);
  console.log(violation === null ? '\nEvery rule held.' : `\nBROKEN: ${violation}`);
  process.exitCode = violation === null ? 0 : 1;
} else {
  const simulated = await simulate({
    depth: count('depth', values.depth),
    seeds: count('seeds', values.seeds),
    firstSeed: count('first-seed', values['first-seed']),
    ...(values.threads !== undefined && { threads: Math.max(1, count('threads', values.threads)) }),
    untilViolation: values['until-violation'],
    onProgress: (schedules) => console.error(`${schedules.toLocaleString('en')} schedules`),
  });
  const { missing, ...result } = simulated;
  const json = JSON.stringify(result, null, 2);
  if (values.json === '-' || values.json === '') console.log(json);
  else if (values.json !== undefined) writeFileSync(values.json, `${json}\n`);
  if (values.json !== '-' && values.json !== '') {
    console.log(
      `${result.schedules.toLocaleString('en')} schedules in ${result.seconds.toFixed(0)} s: every order of choices to depth ${result.depth}, and ${result.seeds.toLocaleString('en')} seeds`,
    );
    for (const [state, times] of Object.entries(result.sometimes))
      console.log(`${String(times).padStart(10)}  ${state}`);
    console.log(`${result.violations.length} violations`);
  }
  for (const { replay: again, what } of result.violations)
    console.error(`BROKEN: ${what}\n  npm run simulate -- --replay ${again}`);
  // a search for a violation alone need not come everywhere
  const isIncomplete = missing.length > 0 && !values['until-violation'];
  if (isIncomplete) for (const state of missing) console.error(`never reached: ${state}`);
  process.exitCode = result.violations.length > 0 || isIncomplete ? 1 : 0;
}
