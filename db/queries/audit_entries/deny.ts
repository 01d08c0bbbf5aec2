import type { Sql } from '../../client.ts';

/** Writes the entry of a denied attempt at the console. */
export async function deny(
  sql: Sql,
  a: {
    userId: string;
    tenantId: string;
    environment: string;
    action: string;
    detail: Record<string, string>;
  },
): Promise<void> {
  await sql`select app.deny(${a.userId}::uuid, ${a.tenantId}, ${a.environment}, ${a.action}, ${JSON.stringify(a.detail)}::text::jsonb)`;
}
