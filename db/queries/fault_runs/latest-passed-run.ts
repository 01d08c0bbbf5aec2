import type { Sql } from '../../client.ts';

/** When a run of this contract last passed, and how many days ago that is. */
export const latestPassedRun = (sql: Sql, tool: string, contractDigest: string) =>
  sql<{ run_id: string; recorded_at: Date; age_days: number }[]>`
    select run_id, recorded_at, (extract(epoch from clock_timestamp() - recorded_at) / 86400)::float8 as age_days
    from public.fault_runs
    where tool_name = ${tool} and contract_digest = ${contractDigest} and passed
    order by recorded_at desc limit 1`;
