import type { Sql } from '../../client.ts';
import type { Person } from './find-session.ts';

/** The person with this id; null if there is none or they are disabled. */
export async function findUser(sql: Sql, userId: string): Promise<Person | null> {
  const [row] = await sql<{ person: Person | null }[]>`select app.find_user(${userId}::uuid) as person`;
  return row?.person ?? null;
}
