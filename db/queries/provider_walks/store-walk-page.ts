import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Keeps one page of a list; answers whether the run still has the list. */
export const storeWalkPage = (
  sql: Sql,
  run: unknown,
  effects: unknown,
  next: string | null,
  seconds: number,
) =>
  sql<{ answer: unknown }[]>`select app.store_walk_page(${jsonb(sql, run)}, ${jsonb(sql, effects)},
    ${next}, ${seconds}) as answer`;
