import { sql } from 'drizzle-orm';
import type { Reads, Scope } from '../../client.ts';

/** The question that was asked last and has no answer yet; undefined where there is none. */
export async function readOpenRequest(db: Reads, scope: Scope, operationKey: string): Promise<unknown> {
  const { rows } = await db.execute(sql`
    select jsonb_build_object('request_id', q.request_id, 'asked_by', coalesce(u.name, q.asked_by), 'asked_at', q.asked_at) as document
    from public.lookup_requests q
    left join public.users u on q.asked_by = 'user:' || u.user_id::text
    where q.tenant_id = ${scope.tenantId} and q.environment = ${scope.environment} and q.operation_key = ${operationKey}
      and q.answered_at is null
    order by q.asked_at desc
    limit 1`);
  return rows[0]?.['document'];
}
