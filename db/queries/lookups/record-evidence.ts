import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Stores what a system of record answered. */
export const recordEvidence = (sql: Sql, rows: unknown) =>
  sql<{ answer: unknown }[]>`select app.record_evidence(${jsonb(sql, rows)}) as answer`;
