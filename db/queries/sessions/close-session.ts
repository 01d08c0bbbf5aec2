import type { Sql } from '../../client.ts';

/** Ends a session at once; an unknown token is no error. */
export async function closeSession(sql: Sql, tokenHash: Uint8Array): Promise<void> {
  await sql`select app.close_session(${tokenHash})`;
}
