import { sql } from 'drizzle-orm';
import type { Reads, Scope } from '../../client.ts';

/** A step is stored as milliseconds before its event; older rows have its time. */
const STEPS = sql`(select coalesce(jsonb_agg(case when s ? 'ms_ago'
    then (s - 'ms_ago') || jsonb_build_object('at', e.at - make_interval(secs => (s ->> 'ms_ago')::float8 / 1000)) else s end), '[]')
  from jsonb_array_elements(e.steps) s)`;

/** The last `limit` events of one operation, oldest first. */
export async function listEvents(
  db: Reads,
  scope: Scope,
  operationKey: string,
  limit: number,
): Promise<unknown> {
  const { rows } = await db.execute(sql`
    select coalesce(jsonb_agg(to_jsonb(r) order by r.event_id), '[]') as document
    from (
      select e.event_id, e.at, e.kind, ${STEPS} as steps, e.from_status, e.to_status, e.to_pending_reason, e.reason, e.attempt,
        e.version, e.actor, e.worker, e.trace_id, e.tool_call_id, e.delivery_id, e.detail
      from public.tool_operation_events e
      where e.tenant_id = ${scope.tenantId} and e.environment = ${scope.environment} and e.operation_key = ${operationKey}
      order by e.event_id desc
      limit ${limit}
    ) r`);
  return rows[0]?.['document'];
}
