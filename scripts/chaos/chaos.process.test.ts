import { expect, test } from 'vitest';
import { runLoad } from './load.ts';
import { runSeeds } from './seeds.ts';

const announce = () => {};

test('[S36] one fault at one boundary, every 31st of 500 seeds: at most one effect, never applied with none, no receipt lost', async () => {
  const seeds = Array.from({ length: 17 }, (_, i) => i * 31);
  const report = await runSeeds({ seeds, announce });
  expect(report.violations).toEqual([]);
  expect(report.rows.reduce((sum, { keys }) => sum + keys, 0)).toBe(seeds.length);
}, 400_000);

test('[S36] a load under kills of processes and of Postgres: one effect a key where the downstream deduplicates or answers', async () => {
  const report = await runLoad({
    deliveries: 600,
    keys: 60,
    processes: 3,
    processKills: 3,
    processStops: 1,
    databaseKills: 1,
    seed: 36,
    announce,
  });
  expect(report.violations).toEqual([]);
  expect(report).toMatchObject({ deliveries: 600, process_kills: 3, process_stops: 1, database_kills: 1 });
}, 400_000);
