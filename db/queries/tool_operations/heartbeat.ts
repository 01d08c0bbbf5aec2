import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Extends live leases, never past quiet time. */
export const heartbeat = (sql: Sql, rows: unknown) =>
  sql<{ answer: unknown }[]>`select app.heartbeat(${jsonb(sql, rows)}) as answer`;
