import type { Sql } from '../../client.ts';
import type { Person } from './find-session.ts';

/**
 * Signs a verified identity in: makes the person at the first time, gives the identity's first grants, and writes
 * the audit entry, of a refusal too. Null: the person is disabled.
 */
export async function signIn(
  sql: Sql,
  identity: { issuer: string; subject: string; name: string; email: string | null },
): Promise<Person | null> {
  const { issuer, subject, name, email } = identity;
  const [row] = await sql<{ person: Person | null }[]>`
    select app.sign_in(${issuer}, ${subject}, ${name}, ${email}) as person`;
  return row?.person ?? null;
}
