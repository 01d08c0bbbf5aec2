import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { consoleSql, type Scope } from '../../db/client.ts';
import { findSession, type FoundSession } from '../../db/queries/sessions/find-session.ts';
import type { Role } from '../domain/states.ts';
import { need } from '../env.ts';
import { ServiceError } from '../errors.ts';
import { authCookies } from './cookies.ts';
import { PATH_HEADER } from './path-header.ts';
import { returnPath } from './return-path.ts';
import { hashSessionToken } from './session-token.ts';
import { signInPath } from './sign-in-notice.ts';

export type Grant = { tenantId: string; environment: string; role: Role };

/** Who asks, with what they may do at this moment: read from the database at each request, never from the cookie. */
export type Caller = {
  user: { id: string; name: string; email: string | null };
  expiresAt: string;
  grants: readonly Grant[];
  /** Each granted (tenant, environment) once: what `scopedRead` takes. */
  scopes: readonly Scope[];
  rolesFor: (tenantId: string, environment: string) => readonly Role[];
};

/**
 * The caller of a handler or a page's data. Refuses with `unauthenticated` when there is no live session; a database
 * that does not answer is an error of its own and never looks like being signed out.
 */
export async function caller(): Promise<Caller> {
  const found = await findCaller();
  if (found === null) throw new ServiceError('unauthenticated', 'Sign in first.');
  return found;
}

/** The caller of a page; without a live session the browser goes to sign in and comes back to this page. */
export async function pageCaller(): Promise<Caller> {
  const found = await findCaller();
  if (found !== null) return found;
  const path = (await headers()).get(PATH_HEADER);
  return redirect(signInPath(null, returnPath(path, need('NEXTAUTH_URL'))));
}

/** The caller, or null without a live session. One question to the database for one rendered page. */
export const findCaller = cache(async (): Promise<Caller | null> => {
  const { name } = authCookies(need('NEXTAUTH_URL')).sessionToken;
  const tokenHash = hashSessionToken((await cookies()).get(name)?.value ?? '');
  if (tokenHash === null) return null;
  const session = await findSession(consoleSql(), tokenHash);
  return session === null ? null : toCaller(session);
});

export function toCaller(session: FoundSession): Caller {
  const { user_id: id, name, email } = session.user;
  const grants = session.grants.map((grant): Grant => ({
    tenantId: grant.tenant_id,
    environment: grant.environment,
    role: grant.role,
  }));
  const rolesFor = (tenantId: string, environment: string) =>
    grants
      .filter((grant) => grant.tenantId === tenantId && grant.environment === environment)
      .map((grant) => grant.role);
  const scopes = grants
    .map(({ tenantId, environment }): Scope => ({ tenantId, environment }))
    .filter(
      (scope, index, all) =>
        index === all.findIndex((o) => o.tenantId === scope.tenantId && o.environment === scope.environment),
    );
  return { user: { id, name, email }, expiresAt: session.expires_at, grants, scopes, rolesFor };
}
