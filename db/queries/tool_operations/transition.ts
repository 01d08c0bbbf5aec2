import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';
import type { Event } from '../../../lib/domain/states.ts';

/** Fires one event of the transition table on each row, if its fence holds and the table allows it. */
export const transition = (sql: Sql, event: Event, rows: unknown) =>
  sql<{ answer: unknown }[]>`select app.transition(${event}, ${jsonb(sql, rows)}) as answer`;
