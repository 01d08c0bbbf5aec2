import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Writes down the last run of a duty by one worker. */
export const dutyRan = (
  sql: Sql,
  run: { duty: string; worker: string; ms: number; report: unknown; failed: string | null },
) =>
  sql<{ answer: unknown }[]>`select app.duty_ran(${run.duty}, ${run.worker}, ${run.ms},
    ${jsonb(sql, run.report)}, ${run.failed}) as answer`;
