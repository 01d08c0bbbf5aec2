import type { Sql } from '../../client.ts';

/** Carries a proposal out in one statement: two persons, version check, status, successors and audit entry. */
export async function approveProposal(
  sql: Sql,
  a: {
    userId: string;
    tenantId: string;
    environment: string;
    operationKey: string;
    decisionId: string;
    version: number;
    reason: string;
  },
): Promise<unknown> {
  const [row] = await sql<{ answer: unknown }[]>`
    select app.approve_proposal(${a.userId}::uuid, ${a.tenantId}, ${a.environment}, ${a.operationKey}, ${a.decisionId}::uuid,
      ${a.version}::bigint, ${a.reason}) as answer`;
  return row?.answer;
}
