import { sql, type SQL } from 'drizzle-orm';
import type { Reads, Scope } from '../../client.ts';

export type OperationsAfter = { updatedAt: string; operationKey: string };
export type OperationFilter = { status: string | null; tool: string | null; find: string | null };

/** At most so many rows of each kind of match are looked at before they are ordered. */
const MATCHES = 500;

/**
 * Every operation of one scope, the last changed first, as one document `{ checked_at, operations }`. `find` matches
 * the beginning of a key (with or without its tenant and environment) or of a fingerprint (with or without
 * `sha256:`), and whole receipts (recorded or found), trace ids, workflow ids and business references: each match reads an index.
 */
export async function listOperations(
  db: Reads,
  scope: Scope,
  filter: OperationFilter,
  page: { after: OperationsAfter | null; limit: number },
): Promise<unknown> {
  const inScope = sql`o.tenant_id = ${scope.tenantId} and o.environment = ${scope.environment}`;
  // true of every row, and what the index by updated_at is for (drizzle/0014)
  const conditions: SQL[] = [inScope, sql`o.version > 0`];
  if (filter.status !== null) conditions.push(sql`o.status = ${filter.status}`);
  if (filter.tool !== null) conditions.push(sql`o.tool_name = ${filter.tool}`);
  if (filter.find !== null)
    conditions.push(sql`o.operation_key in (${matches(inScope, scope, filter.find)})`);
  if (page.after !== null)
    conditions.push(sql`(o.updated_at < ${page.after.updatedAt}::timestamptz
      or (o.updated_at = ${page.after.updatedAt}::timestamptz and o.operation_key > ${page.after.operationKey}))`);
  const { rows } = await db.execute(sql`
    select jsonb_build_object('checked_at', clock_timestamp(),
      'operations', coalesce(jsonb_agg(to_jsonb(r) order by r.updated_at desc, r.operation_key), '[]')) as document
    from (
      select o.operation_key, o.tool_name, o.status, o.pending_reason, o.reason, o.request_fingerprint,
        o.effect_reference, o.provider_job_id, o.attempt, o.adopted, o.contradicted_at is not null as contradicted,
        o.created_at, o.updated_at, left(o.request_redacted ->> (c.body ->> 'target_label'), 120) as target
      from public.tool_operations o
      left join public.tool_contracts c on c.name = o.tool_name and c.version = o.tool_version
      where ${sql.join(conditions, sql` and `)}
      order by o.updated_at desc, o.operation_key
      limit ${page.limit}
    ) r`);
  return rows[0]?.['document'];
}

function matches(inScope: SQL, scope: Scope, find: string): SQL {
  const select = (condition: SQL) =>
    sql`(select o.operation_key from public.tool_operations o where ${inScope} and ${condition} limit ${MATCHES}::integer)`;
  const begins = (column: SQL, text: string) =>
    sql`${column} >= ${text} and ${column} < ${text} || chr(1114109) and starts_with(${column}, ${text})`;
  const kinds = [
    begins(sql`o.operation_key`, find),
    begins(sql`o.operation_key`, `${scope.tenantId}:${scope.environment}:${find}`),
    begins(sql`o.request_fingerprint`, find.startsWith('sha256:') ? find : `sha256:${find}`),
    sql`left(o.effect_reference, 200) = left(${find}, 200) and o.effect_reference = ${find}`,
    sql`left(o.business_reference, 200) = left(${find}, 200) and o.business_reference = ${find}`,
    sql`o.trace_id = ${find}`,
  ];
  const found = sql`(select l.operation_key from public.lookups l where l.tenant_id = ${scope.tenantId}
    and l.environment = ${scope.environment} and l.effect_reference = ${find} limit ${MATCHES}::integer)`;
  return sql.join([...kinds.map(select), found], sql` union all `);
}
