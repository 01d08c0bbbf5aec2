import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Stores one run; its age counts from the database's own time. */
export const recordFaultRun = (
  sql: Sql,
  run: {
    tool: string;
    tool_version: string;
    contract_digest: string;
    played_digest: string;
    started_at: string;
    passed: boolean;
  },
) =>
  sql`
    insert into public.fault_runs (tool_name, tool_version, contract_digest, played_digest, started_at, passed, report)
    values (${run.tool}, ${run.tool_version}, ${run.contract_digest}, ${run.played_digest},
      ${run.started_at}::text::timestamptz, ${run.passed}, ${jsonb(sql, run)})`;
