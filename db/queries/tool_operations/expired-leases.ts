import type { Sql } from '../../client.ts';

/** Leases that have run out, oldest first. */
export const expiredLeases = (sql: Sql, limit: number) =>
  sql<{ answer: unknown }[]>`select app.expired_leases(${limit}) as answer`;
