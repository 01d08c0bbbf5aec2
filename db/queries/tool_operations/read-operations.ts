import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Each operation with its facts by the database clock; null for one that does not exist. */
export const readOperations = (sql: Sql, rows: unknown) =>
  sql<{ answer: unknown }[]>`select app.read_operations(${jsonb(sql, rows)}) as answer`;
