import type { Sql } from '../../client.ts';

/**
 * Deliveries and denials: happenings that change nothing.
 * @param rows JSON text of an array
 */
export const addEvents = (sql: Sql, rows: string) =>
  sql<{ answer: string }[]>`select app.add_events(${rows}::text::jsonb)::text as answer`;
