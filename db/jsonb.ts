import type { Sql } from './client.ts';

/**
 * A JSON value as a parameter of type jsonb, encoded exactly once. Cast from text, since postgres.js encodes whatever
 * meets a jsonb parameter: text that is JSON already would be stored as one string. JSON null stays a value; for
 * SQL NULL pass null itself.
 */
export const jsonb = (sql: Sql, value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`;
