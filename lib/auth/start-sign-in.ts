import { need } from '../env.ts';
import { returnPath } from './return-path.ts';
import { runNextAuth } from './run-next-auth.ts';
import { noticeOf, signInPath } from './sign-in-notice.ts';

export type SignInStart =
  /** Go to the provider with these cookies. */
  | { to: 'provider'; location: string; cookies: string[] }
  /** Back to the sign-in page, which says why. */
  | { to: 'sign-in'; location: string };

/**
 * Begins a sign-in that returns to the page `wanted`. The caller has checked that the request came from our own
 * page; next-auth's token against forged posts is taken and given back here.
 */
export async function startSignIn(wanted: string | null): Promise<SignInStart> {
  const baseUrl = need('NEXTAUTH_URL');
  const to = returnPath(wanted, baseUrl);
  const csrf = await runNextAuth({ action: 'csrf', method: 'GET', cookies: {} });
  const { csrfToken } = csrf.body as { csrfToken: string };
  const { location, cookies } = await runNextAuth({
    action: 'signin',
    method: 'POST',
    cookies: Object.fromEntries(csrf.cookies.map(nameAndValue)),
    body: { csrfToken, callbackUrl: new URL(to, baseUrl).href },
  });
  if (location === null || location.startsWith(new URL('/', baseUrl).href)) {
    const code = location === null ? null : new URL(location).searchParams.get('error');
    return { to: 'sign-in', location: signInPath(noticeOf(code), to) };
  }
  return { to: 'provider', location, cookies };
}

function nameAndValue(line: string): [string, string] {
  const [pair = ''] = line.split(';', 1);
  const at = pair.indexOf('=');
  return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))];
}
