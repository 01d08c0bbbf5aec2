import type { Role } from '../../../lib/domain/states.ts';
import type { Sql } from '../../client.ts';

export type Person = { user_id: string; name: string; email: string | null };

export type FoundSession = {
  user: Person;
  expires_at: string;
  grants: { tenant_id: string; environment: string; role: Role }[];
};

/**
 * The live session of a token, with its person and the grants they have now; null if the token is unknown, its time
 * is over, or the person is disabled.
 */
export async function findSession(sql: Sql, tokenHash: Uint8Array): Promise<FoundSession | null> {
  const [row] = await sql<{ session: FoundSession | null }[]>`
    select app.find_session(${tokenHash}) as session`;
  return row?.session ?? null;
}
