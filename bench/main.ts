import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import postgres from 'postgres';
import { closeClients } from '../db/client.ts';
import { Tally } from './counted.ts';
import { openDatabase } from './database.ts';
import { newReference, openFloor } from './floor.ts';
import { fillTable, measureGrowth, type GrowthRow } from './growth.ts';
import { runRound } from './measure.ts';
import { readOptions } from './options.ts';
import { measurePeers } from './peers/measure-peers.ts';
import { growthTable, worksTable } from './report.ts';
import { openSubject } from './subject.ts';
import { measureWorks, newIds, worksOf, type BenchRow } from './works.ts';

/**
 * `npm run bench`: what a call costs beside two hand-written statements, on one Postgres, in one run. Prints ratios,
 * because figures are of one machine.
 */

const CONCURRENCIES = [1, 64, 512];
const CONNECTIONS = 8;
const KEYS = 2_000;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const say = (message: string) => process.stderr.write(`${message}\n`);
  const pace = options.quick ? { turns: 2, roundMs: 300 } : { turns: 7, roundMs: 700 };
  const database = await openDatabase(say);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void database.close().finally(() => process.exit(1)));
  try {
    const tally = new Tally();
    const effect = () => {
      tally.effect();
      return newReference();
    };
    const floor = await openFloor(database.urls.superuser, CONNECTIONS, effect);
    const subject = await openSubject(database.urls, CONNECTIONS, effect);
    const works = tally.counting(worksOf(floor, subject));
    const firstCall = works.find(({ name }) => name === 'first_call')?.call ?? subject.firstCall;

    const growth: GrowthRow[] = [];
    say('first calls on an empty table');
    await analyze(database.urls.superuser, firstCall);
    growth.push(await measureGrowth(0, firstCall, pace));

    const keys = await appliedKeys(works);
    const rows: BenchRow[] = [];
    for (const concurrency of CONCURRENCIES) {
      say(`all works at ${concurrency} concurrent`);
      rows.push(...(await measureWorks(works, concurrency, { ...pace, keys })));
      await tally.verify(floor, subject);
    }
    const floorCall = works.find(({ name }) => name === 'floor_first_call')?.call ?? floor.firstCall;
    if (options.peers) rows.push(...(await measurePeers(database.urls, CONNECTIONS, floorCall, pace, say)));

    const filled = options.quick ? Math.min(options.rows, 10_000) : options.rows;
    say(`filling the table with ${filled} operations`);
    await fillTable(database.urls.superuser, filled, say);
    growth.push(await measureGrowth(filled, firstCall, pace));
    await tally.verify(floor, subject, { applied: filled });
    await floor.close();
    await subject.close();

    const result = { machine: machine(), rows, growth };
    if (options.json === undefined) console.log(`${worksTable(rows)}\n\n${growthTable(growth)}`);
    else if (options.json === '-') process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    else writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await closeClients();
    await database.close();
  }
}

/** Some first calls, and the statistics that autovacuum makes of them within its first minute. */
async function analyze(url: string, call: (id: string) => Promise<void>): Promise<void> {
  const idOf = newIds();
  await runRound(64, 1_000, (n) => call(idOf(n)));
  const sql = postgres(url, { max: 1 });
  await sql`analyze public.tool_operations`;
  await sql.end();
}

/** Keys that both sides have applied, for everything that is delivered again. */
async function appliedKeys(works: ReturnType<typeof worksOf>): Promise<string[]> {
  const idOf = newIds();
  const keys = Array.from({ length: KEYS }, (_, n) => idOf(n));
  for (const { on, call } of works) {
    if (on !== 'new keys') continue;
    const left = [...keys];
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        for (let key = left.pop(); key !== undefined; key = left.pop()) await call(key);
      }),
    );
  }
  return keys;
}

const machine = () => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memory_gb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  platform: `${process.platform}-${process.arch}`,
});

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
