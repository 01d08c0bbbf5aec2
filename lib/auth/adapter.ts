import type { Adapter, AdapterUser } from 'next-auth/adapters';
import { consoleSql, type Sql } from '../../db/client.ts';
import { closeSession } from '../../db/queries/sessions/close-session.ts';
import { findIdentity } from '../../db/queries/sessions/find-identity.ts';
import type { Person } from '../../db/queries/sessions/find-session.ts';
import { findUser } from '../../db/queries/sessions/find-user.ts';
import { openSession } from '../../db/queries/sessions/open-session.ts';
import { hashSessionToken } from './session-token.ts';

/** Nothing extends it. */
export const SESSION_SECONDS = 12 * 60 * 60;

const toUser = (person: Person): AdapterUser => ({
  id: person.user_id,
  name: person.name,
  email: person.email ?? '',
  emailVerified: null,
});

const never = (name: string) => () => Promise.reject(new Error(`${name} is not supported`));

/**
 * What next-auth may do with the database during a callback: find who `app.sign_in` made or knew, and open a
 * session. It never sees a current session, because it would link the new identity to that session's person; it
 * makes and matches nobody itself, least of all by e-mail. Of a token only the hash leaves this process.
 */
export function callbackAdapter(issuer: string, sql: Sql = consoleSql()): Adapter {
  return {
    getUserByAccount: async ({ providerAccountId }) => {
      const person = await findIdentity(sql, { issuer, subject: providerAccountId });
      return person === null ? null : toUser(person);
    },
    getUser: async (id) => {
      const person = await findUser(sql, id);
      return person === null ? null : toUser(person);
    },
    createSession: async ({ sessionToken, userId }) => {
      const tokenHash = hashSessionToken(sessionToken);
      if (tokenHash === null) throw new Error('a session token has the wrong form');
      const expires = await openSession(sql, { tokenHash, userId, seconds: SESSION_SECONDS });
      return { sessionToken, userId, expires };
    },
    deleteSession: async (token) => {
      const tokenHash = hashSessionToken(token);
      if (tokenHash !== null) await closeSession(sql, tokenHash);
    },
    getSessionAndUser: async () => null,
    getUserByEmail: async () => null,
    updateSession: async () => null,
    createUser: never('createUser'),
    updateUser: never('updateUser'),
    linkAccount: never('linkAccount'),
  };
}
