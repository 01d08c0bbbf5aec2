import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Takes lists of these tools that are due; two takers never take the same list. */
export const takeWalks = (
  sql: Sql,
  worker: string,
  tools: readonly { name: string; environment: string }[],
  limit: number,
  seconds: number,
) =>
  sql<
    { answer: unknown }[]
  >`select app.take_walks(${worker}, ${jsonb(sql, tools)}, ${limit}, ${seconds}) as answer`;
