import { sql } from 'drizzle-orm';
import type { Reads, Scope } from '../../client.ts';

export type CasesAfter = { dueAt: string; operationKey: string };

/**
 * Cases of one scope, the one due first on top, as one document `{ checked_at, cases }`. At most `limit` rows after
 * the cursor; the cursor's time keeps its microseconds, so that no row is skipped or shown twice.
 */
export async function listCases(
  db: Reads,
  scope: Scope,
  page: { after: CasesAfter | null; limit: number },
): Promise<unknown> {
  const after =
    page.after === null
      ? sql``
      : sql`and (coalesce(o.response_due_at, o.case_at), o.operation_key)
          > (${page.after.dueAt}::timestamptz, ${page.after.operationKey})`;
  const { rows } = await db.execute(sql`
    select jsonb_build_object('checked_at', clock_timestamp(),
      'cases', coalesce(jsonb_agg(to_jsonb(r) order by r.due_at, r.operation_key), '[]')) as document
    from (
      select o.operation_key, o.tool_name, o.status, o.pending_reason, o.reason, o.request_fingerprint,
        o.effect_reference, o.provider_job_id, o.attempt, o.adopted, o.contradicted_at is not null as contradicted,
        o.created_at, o.updated_at, o.sent_at, o.lease_until, o.case_at, o.evidence, o.evidence_asked_at,
        coalesce(o.response_due_at, o.case_at) as due_at,
        left(o.request_redacted ->> (c.body ->> 'target_label'), 120) as target,
        coalesce(o.attempt < c.max_attempts, false) as attempts_left,
        coalesce(c.lookup, 'none') as lookup,
        case when c.lookup = 'authoritative' then o.quiet_until + make_interval(secs => c.settle_seconds) end
          as absence_counts_from,
        app.evidence_fact(o, c) = 'absent_conclusive' as absence_is_conclusive,
        (select l.effect_reference from public.lookups l
          where l.tenant_id = o.tenant_id and l.evidence_id = o.evidence_id) as evidence_reference
      from (
        select o.* from public.tool_operations o
         where o.tenant_id = ${scope.tenantId} and o.environment = ${scope.environment} and o.case_at <= now() ${after}
         order by coalesce(o.response_due_at, o.case_at), o.operation_key
         limit ${page.limit}
      ) o
      left join public.tool_contracts c on c.name = o.tool_name and c.version = o.tool_version
    ) r`);
  return rows[0]?.['document'];
}
