import type { Sql } from '../../client.ts';

export type DecideArguments = {
  userId: string;
  tenantId: string;
  environment: string;
  operationKey: string;
  version: number;
  decisionId: string;
  verdict: string;
  reason: string;
  effectReference: string | null;
  evidenceIds: string[];
};

/** Records a person's verdict in one statement: version check, status, successor, decision and audit entry. */
export async function decide(sql: Sql, a: DecideArguments): Promise<unknown> {
  const [row] = await sql<{ answer: unknown }[]>`
    select app.decide(${a.userId}::uuid, ${a.tenantId}, ${a.environment}, ${a.operationKey}, ${a.version}::bigint,
      ${a.decisionId}::uuid, ${a.verdict}, ${a.reason}, ${a.effectReference}, ${`{${a.evidenceIds.join(',')}}`}::text::uuid[]) as answer`;
  return row?.answer;
}
