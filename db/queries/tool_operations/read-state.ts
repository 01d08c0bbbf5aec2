import type { Sql } from '../../client.ts';

/** What a release review reads of one operation: no payload stands in it. */
export type OperationState = {
  status: string;
  pending_reason: string | null;
  reason: string | null;
  attempt: number;
  doubt_attempt: number | null;
  effect_reference: string | null;
  provider_job_id: string | null;
  resolved_by: string | null;
  evidence: string | null;
  contradicted: boolean;
  request_fingerprint: string;
  contract_digest: string | null;
  intent_event: string | null;
  lease_owner: string | null;
  is_case: boolean;
  expires_at: string | null;
  tombstoned_at: string | null;
};

export const readState = (sql: Sql, tenantId: string, environment: string, key: string) =>
  sql<{ state: OperationState }[]>`
    select jsonb_build_object(
      'status', status, 'pending_reason', pending_reason, 'reason', reason, 'attempt', attempt,
      'doubt_attempt', doubt_attempt, 'effect_reference', effect_reference, 'provider_job_id', provider_job_id,
      'resolved_by', resolved_by, 'evidence', evidence, 'contradicted', contradicted_at is not null,
      'request_fingerprint', request_fingerprint, 'contract_digest', contract_digest, 'intent_event', intent_event,
      'lease_owner', lease_owner, 'is_case', case_at is not null, 'expires_at', expires_at,
      'tombstoned_at', tombstoned_at) as state
    from public.tool_operations
    where tenant_id = ${tenantId} and environment = ${environment} and operation_key = ${key}`;
