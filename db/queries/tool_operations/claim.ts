import type { Sql } from '../../client.ts';

/**
 * Claims each row, or loads what is there; rows that are alike are claimed at once.
 * @param rows JSON text of an array
 */
export const claim = (sql: Sql, rows: string) =>
  sql<{ answer: string }[]>`select app.claim_many(${rows}::text::jsonb)::text as answer`;
