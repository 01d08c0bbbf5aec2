import type { Sql } from '../../client.ts';
import type { DecideArguments } from './decide.ts';

/** Stores a verdict that waits for a second person, with its audit entry; the operation stays as it is. */
export async function propose(sql: Sql, a: DecideArguments): Promise<unknown> {
  const [row] = await sql<{ answer: unknown }[]>`
    select app.propose(${a.userId}::uuid, ${a.tenantId}, ${a.environment}, ${a.operationKey}, ${a.version}::bigint,
      ${a.decisionId}::uuid, ${a.verdict}, ${a.reason}, ${a.effectReference}, ${`{${a.evidenceIds.join(',')}}`}::text::uuid[]) as answer`;
  return row?.answer;
}
