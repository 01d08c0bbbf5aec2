import type { Client } from 'pg';

/** Rows for tests, written as the superuser: only what a test is about is stated, the rest is plausible. */

export interface OperationFields {
  tenant_id?: string;
  environment?: string;
  operation_key?: string;
  [column: string]: unknown;
}

let count = 0;

/** A registered contract whose columns the rules read; keyed, with an authoritative lookup by default. */
export async function insertContract(client: Client, fields: Record<string, unknown> = {}): Promise<void> {
  await insert(client, 'tool_contracts', {
    name: 'tickets.create',
    version: '2026-08-18',
    digest: 'sha256:00',
    body: '{}',
    effect_class: 'key_based',
    lookup: 'authoritative',
    resend: 'keyed',
    delicate: false,
    key_window_seconds: 86_400,
    call_budget_ms: 3_000,
    settle_seconds: 1,
    recovery_seconds: 60,
    max_attempts: 3,
    backoff_seconds: 2,
    lease_seconds: 4,
    response_seconds: 3_600,
    retention_seconds: 86_400,
    decision: 'automate',
    ...fields,
  });
}

/** An unknown operation that was sent a minute ago, by default; answers its key. */
export async function insertOperation(client: Client, fields: OperationFields = {}): Promise<string> {
  const tenant = fields.tenant_id ?? 'acme';
  const environment = fields.environment ?? 'production';
  const key = fields.operation_key ?? `${tenant}:${environment}:run_1:step_${++count}`;
  const minuteAgo = new Date(Date.now() - 60_000).toISOString();
  const status = fields['status'] ?? 'unknown';
  const open = status === 'unknown' || status === 'pending';
  await insert(client, 'tool_operations', {
    tenant_id: tenant,
    environment,
    operation_key: key,
    tool_name: 'tickets.create',
    tool_version: '2026-08-18',
    effect_class: 'key_based',
    request_fingerprint: `sha256:${'0'.repeat(64)}`,
    fingerprint_version: 1,
    status,
    reason: status === 'unknown' ? 'no_answer' : null,
    attempt: 1,
    sent_attempt: 1,
    doubt_attempt: open ? 1 : null,
    first_sent_at: minuteAgo,
    sent_at: minuteAgo,
    quiet_until: minuteAgo,
    recover_until: minuteAgo,
    case_at: open ? minuteAgo : null,
    adopted: false,
    ...fields,
  });
  return key;
}

/** Stores evidence as the newest of its operation; answers its id. */
export async function insertEvidence(
  client: Client,
  key: string,
  fields: { answer: string; [column: string]: unknown },
): Promise<string> {
  const [tenant, environment] = key.split(':');
  const { rows } = await client.query<{ evidence_id: string }>(
    `with stored as (
       insert into lookups (tenant_id, environment, operation_key, source, asked_by, asked_at, answer, authoritative, effect_reference, summary)
       values ($1, $2, $3, 'lookup', 'system:reconcile', clock_timestamp(), $4, $5, $6, 'Deskline shows it.') returning *
     ) update tool_operations o set evidence = s.answer, evidence_id = s.evidence_id, evidence_asked_at = s.asked_at
       from stored s where o.tenant_id = s.tenant_id and o.operation_key = s.operation_key returning s.evidence_id`,
    [
      tenant,
      environment,
      key,
      fields.answer,
      fields['authoritative'] ?? true,
      fields['effect_reference'] ?? null,
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`no operation ${key}`);
  return row.evidence_id;
}

/** A person with these roles for one (tenant, environment); answers the user id. */
export async function insertUser(
  client: Client,
  roles: readonly string[],
  scope: { tenant_id?: string; environment?: string; name?: string } = {},
): Promise<string> {
  const { rows } = await client.query<{ user_id: string }>(
    'insert into users (name) values ($1) returning user_id',
    [scope.name ?? `Person ${++count}`],
  );
  const userId = rows[0]?.user_id;
  if (userId === undefined) throw new Error('the user was not inserted');
  for (const role of roles)
    await insert(client, 'grants', {
      tenant_id: scope.tenant_id ?? 'acme',
      environment: scope.environment ?? 'production',
      user_id: userId,
      role,
      granted_by: 'system:test',
    });
  return userId;
}

async function insert(client: Client, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row);
  await client.query(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, i) => `$${i + 1}`).join(', ')})`,
    Object.values(row),
  );
}
