import { writeFileSync } from 'node:fs';
import { demoStatus, doubled } from '../lib/demo/status/demo-status.ts';
import { findRunningDemo } from '../lib/demo/status/running-demo.ts';
import { statusTable } from '../lib/demo/status/status-table.ts';
import { env } from '../lib/env.ts';

/** `npm run demo:status [-- --json FILE]`: what the running demo has come to. Fails when one key had two effects. */
async function main(): Promise<void> {
  const output = readArguments(process.argv.slice(2));
  const status = await demoStatus(findRunningDemo(env().DATA_DIR));
  const json = `${JSON.stringify(status, null, 2)}\n`;
  if (output === undefined) console.log(statusTable(status));
  else if (output === '-') process.stdout.write(json);
  else writeFileSync(output, json);
  const twice = doubled(status);
  if (twice.length === 0) return;
  console.error(`One key had more than one effect on ${twice.join(', ')}: that must never happen.`);
  process.exitCode = 1;
}

/** Where the JSON goes: a file, `-` for standard output; undefined for a table. */
function readArguments([option, file, ...rest]: string[]): string | undefined {
  if (option === undefined) return undefined;
  const [name, value] = option.split('=', 2);
  if (name !== '--json' || rest.length > 0) throw new Error('usage: npm run demo:status [-- --json FILE]');
  return value ?? file ?? '-';
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
