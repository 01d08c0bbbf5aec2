import { userInfo } from 'node:os';
import { writeFileSync } from 'node:fs';
import { closeClients, ownerSql } from '../db/client.ts';
import { acceptEpoch } from '../db/queries/epochs/accept-epoch.ts';
import { epochStatus } from '../db/queries/epochs/epoch-status.ts';
import { need } from '../lib/env.ts';

/**
 * `npm run epoch -- status|accept --reason TEXT [--json FILE]`: whether this is the database server that everything was
 * claimed on, and a person's word that it may go on (DESIGN §4, rule 13). As the owner (DATABASE_OWNER_URL).
 */
async function main(): Promise<void> {
  const { command, reason, json } = readArguments(process.argv.slice(2));
  const sql = ownerSql(need('DATABASE_OWNER_URL'), { deadlineMs: 600_000, max: 1 });
  const [row] =
    command === 'status' ? await epochStatus(sql) : await acceptEpoch(sql, userInfo().username, reason);
  const answer = row?.answer as Record<string, unknown>;
  if (json === undefined) console.log(table(answer));
  else if (json === '-') console.log(JSON.stringify(answer, null, 2));
  else writeFileSync(json, `${JSON.stringify(answer, null, 2)}\n`);
  if (command === 'status' && answer['accepted'] === false) process.exitCode = 1;
}

const USAGE = 'usage: npm run epoch -- status|accept --reason TEXT [--json FILE]';

function readArguments([command, ...options]: string[]) {
  if (command !== 'status' && command !== 'accept') throw new Error(USAGE);
  const given = new Map<string, string>();
  for (let i = 0; i < options.length; i++) {
    const [name = '', value] = options[i]?.split(/=(.*)/s, 2) ?? [];
    if (name !== '--reason' && name !== '--json') throw new Error(USAGE);
    const bare = name === '--json' && (options[i + 1] ?? '--').startsWith('--');
    given.set(name, value ?? (bare ? '-' : (options[++i] ?? '')));
  }
  const reason = given.get('--reason')?.trim() ?? '';
  if (command === 'accept' && reason === '') throw new Error(`${USAGE}\naccept needs a reason.`);
  return { command, reason, json: given.get('--json') } as const;
}

function table(answer: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(answer).map((name) => name.length));
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.entries(answer)
    .map(([name, value]) => `${name.replaceAll('_', ' ').padEnd(width)}  ${text(value)}`)
    .join('\n');
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(() => void closeClients());
