import type { Sql } from '../../client.ts';

export type TraceRow = {
  kind: string;
  worker: string | null;
  actor: string | null;
  reason: string | null;
  detail: { [name: string]: unknown };
  /** The names of the steps that this row carries, each with what was checked. */
  steps: { step: string; detail?: { [name: string]: unknown } }[];
};

/** The whole trace of one key, oldest first; of a key that has no record, too. */
export const readTrace = (sql: Sql, tenantId: string, environment: string, key: string) =>
  sql<TraceRow[]>`
    select kind, worker, actor, reason, detail, steps from public.tool_operation_events
    where tenant_id = ${tenantId} and environment = ${environment} and operation_key = ${key} order by event_id`;
