import type { AuthOptions, Profile } from 'next-auth';
import { consoleSql } from '../../db/client.ts';
import { signIn } from '../../db/queries/sessions/sign-in.ts';
import { DatabaseError } from '../errors.ts';
import { need } from '../env.ts';
import { logger } from '../logger.ts';
import { callbackAdapter, SESSION_SECONDS } from './adapter.ts';
import { authCookies } from './cookies.ts';
import { describeAuthError } from './describe-auth-error.ts';
import { newSessionToken } from './session-token.ts';
import { signInPath } from './sign-in-notice.ts';

/** The one provider's name in the callback's address, which it knows us by: `/api/auth/callback/oidc`. */
export const PROVIDER = 'oidc';

type Claims = Profile & { iss?: unknown; preferred_username?: unknown };

/** next-auth as we use it: one OpenID Connect provider, database sessions, every check on. */
export function authOptions(): AuthOptions {
  const issuer = need('OIDC_ISSUER');
  const baseUrl = need('NEXTAUTH_URL');
  return {
    adapter: callbackAdapter(issuer),
    secret: need('NEXTAUTH_SECRET'),
    session: { strategy: 'database', maxAge: SESSION_SECONDS, generateSessionToken: newSessionToken },
    useSecureCookies: baseUrl.startsWith('https:'),
    cookies: authCookies(baseUrl),
    providers: [
      {
        id: PROVIDER,
        name: 'OpenID Connect',
        type: 'oauth',
        wellKnown: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
        issuer,
        clientId: need('OIDC_CLIENT_ID'),
        clientSecret: need('OIDC_CLIENT_SECRET'),
        idToken: true,
        checks: ['pkce', 'state', 'nonce'],
        authorization: { params: { scope: 'openid email profile' } },
        client: { token_endpoint_auth_method: 'client_secret_basic' },
        httpOptions: { timeout: 5_000 },
        profile: (claims: Claims) => ({ id: claims.sub ?? '', name: nameOf(claims), email: emailOf(claims) }),
      },
    ],
    callbacks: {
      signIn: async ({ account, profile }) => {
        const claims: Claims = profile ?? {};
        const subject = account?.providerAccountId;
        if (
          subject === undefined ||
          subject === '' ||
          claims.sub !== subject ||
          !sameIssuer(claims.iss, issuer)
        ) {
          return false;
        }
        try {
          const identity = { issuer, subject, name: nameOf(claims), email: emailOf(claims) };
          return (await signIn(consoleSql(), identity)) !== null;
        } catch (error) {
          if (!(error instanceof DatabaseError)) throw error;
          logger('auth').error({ kind: error.kind, sqlstate: error.sqlstate }, 'sign-in not recorded');
          return signInPath('unavailable');
        }
      },
    },
    logger: {
      error: (code, metadata) =>
        logger('auth').error({ code, ...describeAuthError(metadata) }, 'sign-in failed'),
      warn: (code) => logger('auth').warn({ code }, 'sign-in warning'),
      debug: () => {},
    },
  };
}

const sameIssuer = (claimed: unknown, issuer: string) =>
  typeof claimed === 'string' && claimed.replace(/\/$/, '') === issuer.replace(/\/$/, '');

const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);

function nameOf(claims: Claims): string {
  const name = text(claims.name) ?? text(claims.preferred_username) ?? text(claims.email) ?? text(claims.sub);
  return (name ?? 'Unnamed').replace(/\p{C}/gu, '').slice(0, 200);
}

const emailOf = (claims: Claims): string | null => text(claims.email)?.slice(0, 320) ?? null;
