import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Ends a walk, and judges it where it did not fail; null where it was overtaken. */
export const endWalk = (sql: Sql, run: unknown, failed: string | null, againSeconds: number) =>
  sql<{ answer: unknown }[]>`select app.end_walk(${jsonb(sql, run)}, ${failed}, ${againSeconds}) as answer`;
