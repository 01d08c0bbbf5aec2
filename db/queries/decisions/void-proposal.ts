import type { Sql } from '../../client.ts';

/** Takes an open proposal back, with its audit entry; the operation stays as it is. */
export async function voidProposal(
  sql: Sql,
  a: {
    userId: string;
    tenantId: string;
    environment: string;
    operationKey: string;
    decisionId: string;
    reason: string;
  },
): Promise<unknown> {
  const [row] = await sql<{ answer: unknown }[]>`
    select app.void_proposal(${a.userId}::uuid, ${a.tenantId}, ${a.environment}, ${a.operationKey}, ${a.decisionId}::uuid,
      ${a.reason}) as answer`;
  return row?.answer;
}
