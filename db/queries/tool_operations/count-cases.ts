import { sql } from 'drizzle-orm';
import type { Reads, Scope } from '../../client.ts';

/** The queue of one scope in figures; open work is counted exactly, off the index of cases. */
export async function countCases(db: Reads, scope: Scope): Promise<unknown> {
  const { rows } = await db.execute(sql`
    select jsonb_build_object('checked_at', clock_timestamp(), 'open', count(*), 'oldest_at', min(o.case_at),
      'stuck_pending', count(*) filter (where o.status = 'pending'),
      'overdue', count(*) filter (where o.response_due_at < now()),
      'receipt_found', count(*) filter (where o.evidence = 'found')) as document
    from public.tool_operations o
    where o.tenant_id = ${scope.tenantId} and o.environment = ${scope.environment} and o.case_at <= now()`);
  return rows[0]?.['document'];
}
