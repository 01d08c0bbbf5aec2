import { sql } from 'drizzle-orm';
import type { Reads, Scope } from '../../client.ts';

/** What persons said about one operation, oldest first. */
export async function listDecisions(db: Reads, scope: Scope, operationKey: string): Promise<unknown> {
  const { rows } = await db.execute(sql`
    select coalesce(jsonb_agg(to_jsonb(r) order by r.decided_at), '[]') as document
    from (
      select d.decision_id, d.state, d.verdict, d.reason, d.effect_reference, d.evidence_ids, d.expected_version,
        d.recorded_version, d.successor_key, d.decided_by, coalesce(u.name, 'somebody') as decided_by_name,
        d.audit_sequence, d.decided_at
      from public.decisions d
      left join public.users u on u.user_id = d.decided_by
      where d.tenant_id = ${scope.tenantId} and d.environment = ${scope.environment} and d.operation_key = ${operationKey}
      order by d.decided_at desc
      limit 100
    ) r`);
  return rows[0]?.['document'];
}
