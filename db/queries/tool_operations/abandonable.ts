import type { Sql } from '../../client.ts';

/** What was never sent and is past its contract's `abandon_after_seconds`, oldest first. */
export const abandonable = (sql: Sql, limit: number) =>
  sql<{ answer: unknown }[]>`select app.abandonable(${limit}) as answer`;
