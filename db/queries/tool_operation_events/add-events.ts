import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Deliveries and denials: happenings that change nothing. */
export const addEvents = (sql: Sql, rows: unknown) =>
  sql<{ answer: unknown }[]>`select app.add_events(${jsonb(sql, rows)}) as answer`;
