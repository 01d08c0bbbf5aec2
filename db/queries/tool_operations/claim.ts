import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Claims each row, or loads what is there. */
export const claim = (sql: Sql, rows: unknown) =>
  sql<{ answer: unknown }[]>`select app.claim(${jsonb(sql, rows)}) as answer`;
