import type { Sql } from '../../client.ts';

/** Stores a question for the application's reconciler, with its audit entry; it settles nothing. */
export async function askLookup(
  sql: Sql,
  a: { userId: string; tenantId: string; environment: string; operationKey: string; requestId: string },
): Promise<unknown> {
  const [row] = await sql<{ answer: unknown }[]>`
    select app.ask_lookup(${a.userId}::uuid, ${a.tenantId}, ${a.environment}, ${a.operationKey}, ${a.requestId}::uuid) as answer`;
  return row?.answer;
}
