import { sql } from 'drizzle-orm';
import type { Reads, Scope } from '../../client.ts';

/** The audit chain of one scope, the last entry first, as one document `{ checked_at, head, entries }`. */
export async function listEntries(
  db: Reads,
  scope: Scope,
  page: { before: number | null; limit: number },
): Promise<unknown> {
  const before = page.before === null ? sql`` : sql`and e.sequence < ${page.before}`;
  const { rows } = await db.execute(sql`
    select jsonb_build_object('checked_at', clock_timestamp(),
      'head', (select jsonb_build_object('sequence', h.sequence, 'hash', encode(h.hash, 'hex'))
        from public.audit_heads h where h.tenant_id = ${scope.tenantId} and h.environment = ${scope.environment}),
      'entries', coalesce(jsonb_agg(to_jsonb(r) order by r.sequence desc), '[]')) as document
    from (
      select e.sequence, e.at, e.actor, u.name as actor_name, e.action, e.operation_key,
        convert_from(e.body, 'UTF8')::jsonb as body, encode(e.hash, 'hex') as hash
      from public.audit_entries e
      left join public.users u on e.actor = 'user:' || u.user_id::text
      where e.tenant_id = ${scope.tenantId} and e.environment = ${scope.environment} ${before}
      order by e.sequence desc
      limit ${page.limit}
    ) r`);
  return rows[0]?.['document'];
}
