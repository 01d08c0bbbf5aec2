import type { Sql } from '../../client.ts';

export type DecideApprovalArguments = {
  userId: string;
  tenantId: string;
  environment: string;
  operationKey: string;
  version: number;
  decisionId: string;
  answer: 'approve' | 'deny';
  reason: string;
};

/** Records a person's answer to a request for approval in one statement, with its audit entry. */
export async function decideApproval(sql: Sql, a: DecideApprovalArguments): Promise<unknown> {
  const [row] = await sql<{ answer: unknown }[]>`
    select app.decide_approval(${a.userId}::uuid, ${a.tenantId}, ${a.environment}, ${a.operationKey}, ${a.version}::bigint,
      ${a.decisionId}::uuid, ${a.answer}, ${a.reason}) as answer`;
  return row?.answer;
}
