import type { Sql } from '../../client.ts';
import type { Person } from './find-session.ts';

/** Who an issuer's subject is; null if it never signed in or is disabled. Nobody is ever found by e-mail. */
export async function findIdentity(
  sql: Sql,
  identity: { issuer: string; subject: string },
): Promise<Person | null> {
  const [row] = await sql<{ person: Person | null }[]>`
    select app.find_identity(${identity.issuer}, ${identity.subject}) as person`;
  return row?.person ?? null;
}
