import type { Sql } from '../../client.ts';
import type { Event } from '../../../lib/domain/states.ts';

/**
 * Fires one event of the transition table on each row, if its fence holds and the table allows it.
 * @param rows JSON text of an array
 */
export const transition = (sql: Sql, event: Event, rows: string) =>
  sql<{ answer: string }[]>`select app.transition_many(${event}, ${rows}::text::jsonb)::text as answer`;
