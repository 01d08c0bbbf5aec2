import type { Sql } from '../../client.ts';

/** What is past its retention and has no tombstone yet, oldest first. */
export const pastRetention = (sql: Sql, limit: number) =>
  sql<{ answer: unknown }[]>`select app.past_retention(${limit}) as answer`;
