import { sql } from 'drizzle-orm';
import type { Reads, Scope } from '../../client.ts';

/** Stored answers above this size are not put into a page. */
const RESPONSE_BYTES = 16_384;

/**
 * One operation with its facts and the part of its contract that a screen needs, as one document; undefined where
 * there is none in this scope. Nothing sealed and no lease token is ever selected.
 */
export async function readOperation(db: Reads, scope: Scope, operationKey: string): Promise<unknown> {
  const { rows } = await db.execute(sql`
    select jsonb_build_object(
      'checked_at', clock_timestamp(),
      'record', (select to_jsonb(r) from (select
        o.tenant_id, o.environment, o.operation_key, o.tool_name, o.tool_version, o.effect_class, o.contract_digest,
        o.connector, o.deploy, o.request_fingerprint, o.fingerprint_version, o.request_redacted, o.intent_event,
        o.business_reference, o.status, o.pending_reason, o.reason, o.attempt, o.sent_attempt, o.doubt_attempt,
        o.first_sent_at, o.sent_at, o.quiet_until, o.attempt_ended_at, o.downstream_key, o.downstream_request_id,
        o.lease_owner, o.lease_until, o.next_attempt_at, o.recover_until, o.provider_job_id, o.effect_reference,
        o.response_json is not null as has_response,
        case when pg_column_size(o.response_json) <= ${RESPONSE_BYTES}::integer then o.response_json end as response_json,
        o.delivery_state, o.evidence, o.evidence_id, o.evidence_asked_at, o.case_at, o.contradicted_at,
        o.response_due_at, o.resolved_by, o.supersedes_key, o.successor_key, o.workflow_id, o.step_id, o.actor,
        o.trace_id, o.adopted, o.version, o.created_at, o.updated_at, o.expires_at,
        o.expires_at - make_interval(secs => c.retention_seconds) as first_recorded_at, o.tombstoned_at) r),
      'target', left(o.request_redacted ->> (c.body ->> 'target_label'), 120),
      'facts', to_jsonb(app.facts_of(o)),
      'contract', case when c.name is not null then jsonb_build_object(
        'decision', c.decision, 'max_attempts', c.max_attempts, 'call_budget_ms', c.call_budget_ms,
        'settle_seconds', c.settle_seconds, 'key_window_seconds', c.key_window_seconds,
        'cost_of_duplicate', c.body ->> 'cost_of_duplicate', 'cost_of_missing', c.body ->> 'cost_of_missing',
        'owner', c.body #>> '{owner,team}', 'system', coalesce(o.connector, c.body #>> '{downstream,connector}')) end,
      'absence_counts_from', case when c.lookup = 'authoritative' then o.quiet_until + make_interval(secs => c.settle_seconds) end,
      'evidence_response', (select case when pg_column_size(l.response_json) <= ${RESPONSE_BYTES}::integer then l.response_json end
        from public.lookups l where l.tenant_id = o.tenant_id and l.evidence_id = o.evidence_id)) as document
    from public.tool_operations o
    left join public.tool_contracts c on c.name = o.tool_name and c.version = o.tool_version
    where o.tenant_id = ${scope.tenantId} and o.environment = ${scope.environment} and o.operation_key = ${operationKey}`);
  return rows[0]?.['document'];
}
