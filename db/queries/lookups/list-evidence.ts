import { sql } from 'drizzle-orm';
import type { Reads, Scope } from '../../client.ts';

/**
 * The evidence of one operation, the last asked first. Whether a question was asked after quiet time + settle window
 * is compared here, by the database that wrote both times.
 */
export async function listEvidence(
  db: Reads,
  scope: Scope,
  operationKey: string,
  limit: number,
): Promise<unknown> {
  const { rows } = await db.execute(sql`
    select coalesce(jsonb_agg(to_jsonb(r) order by r.asked_at desc, r.evidence_id), '[]') as document
    from (
      select l.evidence_id, l.source, l.asked_by, l.asked_at, l.answered_at, l.looked_up_by, l.answer, l.authoritative,
        l.effect_reference, l.committed_at, left(l.summary, 2000) as summary,
        coalesce(l.asked_at > o.quiet_until + make_interval(secs => c.settle_seconds), false) as asked_late_enough,
        l.evidence_id is not distinct from o.evidence_id as is_current,
        u.name as asked_by_name
      from public.lookups l
      join public.tool_operations o on o.tenant_id = l.tenant_id and o.operation_key = l.operation_key
      left join public.tool_contracts c on c.name = o.tool_name and c.version = o.tool_version
      left join public.users u on l.asked_by = 'user:' || u.user_id::text
      where l.tenant_id = ${scope.tenantId} and l.environment = ${scope.environment} and l.operation_key = ${operationKey}
      order by l.asked_at desc, l.evidence_id
      limit ${limit}
    ) r`);
  return rows[0]?.['document'];
}
