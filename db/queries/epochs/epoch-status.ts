import type { Sql } from '../../client.ts';

/** What a person has to know before accepting this server's epoch. As the owner. */
export const epochStatus = (sql: Sql) => sql<{ answer: unknown }[]>`select app.epoch_status() as answer`;
