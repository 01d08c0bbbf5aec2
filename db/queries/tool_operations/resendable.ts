import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Operations that are ready, due, and carry their sealed request, for these tool versions. */
export const resendable = (sql: Sql, tools: unknown, limit: number) =>
  sql<{ answer: unknown }[]>`select app.resendable(${jsonb(sql, tools)}, ${limit}) as answer`;
