import type { Sql } from '../../client.ts';

/** Lets time pass for one operation, for a fault run in which nobody waits for thirty days: its times are that much further back. */
export const ageOperation = (sql: Sql, tenantId: string, environment: string, key: string, seconds: number) =>
  sql`
    update public.tool_operations set
      created_at = created_at - make_interval(secs => ${seconds}),
      updated_at = updated_at - make_interval(secs => ${seconds}),
      first_sent_at = first_sent_at - make_interval(secs => ${seconds}),
      sent_at = sent_at - make_interval(secs => ${seconds}),
      quiet_until = quiet_until - make_interval(secs => ${seconds}),
      attempt_ended_at = attempt_ended_at - make_interval(secs => ${seconds}),
      expires_at = expires_at - make_interval(secs => ${seconds})
    where tenant_id = ${tenantId} and environment = ${environment} and operation_key = ${key}`;
