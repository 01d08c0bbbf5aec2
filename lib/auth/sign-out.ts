import { cookies } from 'next/headers';
import { consoleSql } from '../../db/client.ts';
import { closeSession } from '../../db/queries/sessions/close-session.ts';
import { need } from '../env.ts';
import { authCookies } from './cookies.ts';
import { hashSessionToken } from './session-token.ts';

/** Closes this browser's session in the database, so that a copy of its cookie is worth nothing, and takes the cookie away. */
export async function signOut(): Promise<void> {
  const { name, options } = authCookies(need('NEXTAUTH_URL')).sessionToken;
  const jar = await cookies();
  const tokenHash = hashSessionToken(jar.get(name)?.value ?? '');
  if (tokenHash !== null) await closeSession(consoleSql(), tokenHash);
  jar.set(name, '', { ...options, maxAge: 0 });
}
