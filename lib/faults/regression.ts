import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { PlainJson } from '../executor/identity/plain-json.ts';
import type { PlayedTiming } from './report.ts';
import type { FaultRow } from './row.ts';

const json = z.custom<PlainJson>((value) => value !== undefined);

/** A play that failed, kept so that it is played again: which one it was, and what it left. No payload stands in it. */
const regression = z.strictObject({
  tool: z.string(),
  contract_digest: z.string(),
  row: z.string(),
  timing: z.string(),
  seed: z.int(),
  observed: z.string(),
  failed: z.array(z.string()),
  operation_key: z.string(),
  fingerprint: z.string().nullable(),
  receipt: z.string().nullable(),
  effects: z.int(),
  final_state: z.record(z.string(), json),
  trace: z.array(z.string()),
});
export type Regression = z.output<typeof regression>;

export function regressionOf(tool: string, digest: string, row: FaultRow, played: PlayedTiming): Regression {
  const { evidence } = played;
  return {
    tool,
    contract_digest: digest,
    row: row.id,
    timing: played.name,
    seed: played.seed,
    observed: played.observed,
    failed: played.failed,
    operation_key: evidence.operation_key,
    fingerprint: evidence.fingerprint,
    receipt: evidence.receipt,
    effects: played.effects,
    final_state: evidence.final_state,
    trace: evidence.trace,
  };
}

/** Writes the case into `dir`, one file for each tool, row, timing and seed; answers its path. */
export function keepRegression(dir: string, kept: Regression): string {
  mkdirSync(dir, { recursive: true });
  const timing = kept.timing.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const file = path.join(dir, `${kept.tool}-${kept.row}-${timing}-${kept.seed}.json`);
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  return file;
}

/** Every case of `dir`. @throws naming the file that is none */
export function readRegressions(dir: string): Regression[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => {
      const parsed = regression.safeParse(JSON.parse(readFileSync(path.join(dir, name), 'utf8')));
      if (!parsed.success) throw new Error(`${name} in ${dir} is no kept case: ${parsed.error.message}`);
      return parsed.data;
    });
}
