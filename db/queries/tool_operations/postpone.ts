import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Lets operations wait, and their escalation with them, whose provider is out of reach. */
export const postpone = (sql: Sql, rows: unknown) =>
  sql<{ answer: unknown }[]>`select app.postpone(${jsonb(sql, rows)}) as answer`;
