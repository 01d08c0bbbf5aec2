import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runLoad } from './chaos/load.ts';
import { runSeeds } from './chaos/seeds.ts';
import { tallyTable, type Tally } from './chaos/tally.ts';

/**
 * `npm run chaos -- --deliveries 10000 --keys 1000 --processes 8`: a load under kills of processes and of Postgres.
 * `npm run chaos -- --seeds 500`: one fault at one boundary of one call, as often (from `--seed` on).
 * Both print a table, take `--json FILE`, and fail when a promise was broken.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      deliveries: { type: 'string', default: '10000' },
      keys: { type: 'string', default: '1000' },
      processes: { type: 'string', default: '8' },
      kills: { type: 'string', default: '24' },
      stops: { type: 'string', default: '8' },
      'database-kills': { type: 'string', default: '2' },
      seeds: { type: 'string' },
      seed: { type: 'string', default: '0' },
      json: { type: 'string' },
    },
  });
  const whole = (name: Exclude<keyof typeof values, 'json'>, least: number) => {
    const number = Number(values[name]);
    if (!Number.isSafeInteger(number) || number < least)
      throw new Error(`--${name} needs a whole number from ${least}`);
    return number;
  };
  const announce = (message: string) => console.error(message);
  const seed = whole('seed', 0);
  const report: Tally =
    values.seeds === undefined
      ? await runLoad({
          deliveries: whole('deliveries', 1),
          keys: whole('keys', 1),
          processes: whole('processes', 1),
          processKills: whole('kills', 0),
          processStops: whole('stops', 0),
          databaseKills: whole('database-kills', 0),
          seed,
          announce,
        })
      : await runSeeds({ seeds: Array.from({ length: whole('seeds', 1) }, (_, i) => seed + i), announce });
  const json = `${JSON.stringify(report, null, 2)}\n`;
  if (values.json === '-') process.stdout.write(json);
  else {
    if (values.json !== undefined) writeFileSync(values.json, json);
    const { rows: _rows, violations: _violations, traces: _traces, ...figures } = report;
    console.log(JSON.stringify(figures, null, 2));
    console.log(tallyTable(report));
  }
  for (const violation of report.violations) console.error(violation);
  if (report.violations.length === 0) return;
  console.error(JSON.stringify(report.traces, null, 2));
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
