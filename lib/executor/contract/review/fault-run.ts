import { z } from 'zod';
import type { Contract } from '../contract.ts';
import { FAULT_ROWS } from '../contract-parts.ts';

/** What `npm run faults -- --json FILE` writes, as far as a review reads it. */
const faultRunSchema = z.object({
  tool: z.string(),
  contract_digest: z.string(),
  started_at: z.iso.datetime({ offset: true }),
  rows: z.array(
    z.object({
      id: z.string(),
      passed: z.boolean(),
      /** `not_applicable` where a row cannot be played with this tool: a delayed job where there is none. */
      verdict: z.exactOptional(z.string()),
    }),
  ),
});
export type FaultRun = z.output<typeof faultRunSchema>;

/** How old a run may be where the contract does not say. */
const DEFAULT_MAX_AGE_DAYS = 30;
const DAY_MS = 86_400_000;

/** Reads the JSON text of a fault run; a text that is none gives a sentence that says why. */
export function readFaultRun(text: string): FaultRun | string {
  try {
    const parsed = faultRunSchema.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    return `It is not the report of a fault run: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`;
  } catch (error) {
    if (error instanceof SyntaxError) return `It is not JSON: ${error.message}.`;
    throw error;
  }
}

/**
 * Why a run does not prove a contract, or null where it does: it is of this tool and this digest, as young as the
 * contract asks, every row of the article's two tables passed or does not apply to the tool, and every row that the
 * contract's tests name passed.
 * `now` is milliseconds since the epoch.
 */
export function objectionTo(run: FaultRun, contract: Contract, digest: string, now: number): string | null {
  if (run.tool !== contract.name) return `It is a run of ${run.tool}, not of ${contract.name}.`;
  if (run.contract_digest !== digest)
    return `It is a run of another contract: its digest is ${run.contract_digest}, this one's ${digest}.`;
  const age = now - Date.parse(run.started_at);
  if (age > maxAgeDays(contract) * DAY_MS)
    return `It is ${Math.floor(age / DAY_MS)} days old; the contract asks for at most ${maxAgeDays(contract)}. Run it again.`;
  if (age < -DAY_MS) return `It started at ${run.started_at}, which is in the future.`;
  const named = Object.values(contract.tests ?? {}).flat();
  const failed = run.rows
    .filter(({ id, passed, verdict }) => !passed && (verdict !== 'not_applicable' || named.includes(id)))
    .map(({ id }) => id);
  if (failed.length > 0) return `These rows failed: ${failed.join(', ')}.`;
  const needed = [...FAULT_ROWS.filter((id) => !id.startsWith('T3.')), ...named];
  const missing = [...new Set(needed)].filter((id) => !run.rows.some((row) => row.id === id));
  if (missing.length > 0) return `These rows were not played: ${missing.join(', ')}.`;
  if (!run.rows.some(({ passed }) => passed)) return 'No row was played on this tool.';
  return null;
}

/**
 * Whether a sign-off of this digest stands for the run that it was given on, which must have passed to be signed and
 * be as young as the contract asks.
 */
export function signedRunStands(contract: Contract, digest: string, now: number): boolean {
  return Object.values(contract.signoffs ?? {}).some((signoff) => {
    const age = now - Date.parse(signoff.run_on ?? signoff.date);
    return signoff.digest === digest && age >= 0 && age <= maxAgeDays(contract) * DAY_MS;
  });
}

const maxAgeDays = ({ faults }: Contract): number => faults?.max_age_days ?? DEFAULT_MAX_AGE_DAYS;
