import { sql } from 'drizzle-orm';
import type { Reads, Scope } from '../../client.ts';

/**
 * What persons said about one operation, oldest first. A proposal for a version that is over is void, whether or not
 * anybody has tried to approve it.
 */
export async function listDecisions(db: Reads, scope: Scope, operationKey: string): Promise<unknown> {
  const { rows } = await db.execute(sql`
    select coalesce(jsonb_agg(to_jsonb(r) order by r.decided_at), '[]') as document
    from (
      select d.decision_id, case when d.state = 'proposed' and d.expected_version <> o.version then 'voided' else d.state end as state, d.verdict, d.reason, d.effect_reference, d.evidence_ids, d.expected_version,
        d.recorded_version, d.successor_key, d.decided_by, coalesce(u.name, 'somebody') as decided_by_name,
        d.audit_sequence, d.decided_at, a.name as approved_by_name, d.approved_at, d.approval_reason,
        case when d.state = 'proposed' and d.expected_version <> o.version then 'version_changed' else d.voided_because end as voided_because
      from public.decisions d
      join public.tool_operations o on o.tenant_id = d.tenant_id and o.operation_key = d.operation_key
      left join public.users a on a.user_id = d.approved_by
      left join public.users u on u.user_id = d.decided_by
      where d.tenant_id = ${scope.tenantId} and d.environment = ${scope.environment} and d.operation_key = ${operationKey}
      order by d.decided_at desc
      limit 100
    ) r`);
  return rows[0]?.['document'];
}
