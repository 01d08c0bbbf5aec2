import type { Sql } from '../../client.ts';

/**
 * Each operation with its facts by the database clock; null for one that does not exist.
 * @param rows JSON text of an array
 */
export const readOperations = (sql: Sql, rows: string) =>
  sql<{ answer: string }[]>`select app.read_operations(${rows}::text::jsonb)::text as answer`;
