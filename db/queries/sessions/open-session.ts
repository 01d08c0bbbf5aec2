import type { Sql } from '../../client.ts';

/** Opens a session for `seconds` and answers when it ends, by the database clock; nothing extends it. */
export async function openSession(
  sql: Sql,
  session: { tokenHash: Uint8Array; userId: string; seconds: number },
): Promise<Date> {
  const [row] = await sql<{ expires_at: Date }[]>`
    select app.open_session(${session.tokenHash}, ${session.userId}::uuid, ${session.seconds}::int) as expires_at`;
  if (row === undefined) throw new Error('open_session answered no row');
  return row.expires_at;
}
