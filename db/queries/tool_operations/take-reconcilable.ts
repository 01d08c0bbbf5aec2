import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Takes what is due for a question to its system of record; two takers never take the same row. */
export const takeReconcilable = (sql: Sql, tools: unknown, limit: number, seconds: number) =>
  sql<
    { answer: unknown }[]
  >`select app.take_reconcilable(${jsonb(sql, tools)}, ${limit}, ${seconds}) as answer`;
