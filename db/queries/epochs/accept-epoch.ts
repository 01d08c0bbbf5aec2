import type { Sql } from '../../client.ts';

/** Accepts this server's epoch: fires `fail_over` on what is open from older ones, and writes the audit entry. As the owner. */
export const acceptEpoch = (sql: Sql, person: string, reason: string) =>
  sql<{ answer: unknown }[]>`select app.accept_epoch(${person}, ${reason}) as answer`;
