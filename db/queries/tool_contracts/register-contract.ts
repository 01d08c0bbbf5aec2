import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Registers a version, or a revision of its prose; answers the digest that is stored. */
export const registerContract = (sql: Sql, row: unknown) =>
  sql<{ answer: unknown }[]>`select app.register_contract(${jsonb(sql, row)}) as answer`;
