import type { CookiesOptions } from 'next-auth';
import { SettingsError } from '../env.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const MINUTES_15 = 15 * 60;

/** The session's cookie and those of a sign-in under way, by next-auth's names for them. */
export type AuthCookies = Record<keyof CookiesOptions, AuthCookie>;

type AuthCookie = {
  name: string;
  options: { httpOnly: true; sameSite: 'lax'; path: '/'; secure: boolean; maxAge?: number };
};

/**
 * `__Host-` and Secure under https. Over plain http browsers keep such cookies on loopback names only, and not all
 * do: there, and only there, the names are plain. Any other http address is refused: a session would be readable.
 */
export function authCookies(baseUrl: string): AuthCookies {
  const { protocol, hostname } = new URL(baseUrl);
  const secure = protocol === 'https:';
  if (!secure && !LOOPBACK.has(hostname)) {
    throw new SettingsError(
      'NEXTAUTH_URL must be https, except on localhost: a session cookie could be read on its way.',
    );
  }
  const cookie = (name: string, maxAge?: number): AuthCookie => ({
    name: `${secure ? '__Host-' : ''}rd.${name}`,
    options: {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure,
      ...(maxAge === undefined ? {} : { maxAge }),
    },
  });
  return {
    sessionToken: cookie('session'),
    callbackUrl: cookie('return', MINUTES_15),
    csrfToken: cookie('csrf'),
    pkceCodeVerifier: cookie('pkce', MINUTES_15),
    state: cookie('state', MINUTES_15),
    nonce: cookie('nonce', MINUTES_15),
  };
}
