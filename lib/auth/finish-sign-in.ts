import { consoleSql } from '../../db/client.ts';
import { closeSession } from '../../db/queries/sessions/close-session.ts';
import { need } from '../env.ts';
import { logger } from '../logger.ts';
import { authCookies } from './cookies.ts';
import { returnPath } from './return-path.ts';
import { runNextAuth } from './run-next-auth.ts';
import { hashSessionToken } from './session-token.ts';
import { noticeOf, signInPath } from './sign-in-notice.ts';

/**
 * Ends what `startSignIn` began: with every check passed it opens a session and closes the one that this browser
 * had, so that a sign-in never continues another person's. Answers where to go and which cookies to set.
 */
export async function finishSignIn(request: {
  query: Readonly<Record<string, string>>;
  cookies: Readonly<Record<string, string>>;
}): Promise<{ location: string; cookies: string[] }> {
  const baseUrl = need('NEXTAUTH_URL');
  const names = authCookies(baseUrl);
  const { name } = names.sessionToken;
  const refusal = request.query['error'];
  if (refusal !== undefined) {
    // the provider's words are whatever the address says: only the known one is told on
    const notice = refusal === 'access_denied' ? 'cancelled' : 'failed';
    logger('auth').warn({ notice }, 'the provider sent the browser back without a code');
    return { location: signInPath(notice), cookies: [] };
  }

  const { location, cookies: made } = await runNextAuth({ action: 'callback', method: 'GET', ...request });
  // next-auth's token against forged posts has no use here: ours are told by their Origin
  const cookies = made.filter((line) => !line.startsWith(`${names.csrfToken.name}=`));
  if (!cookies.some((line) => line.startsWith(`${name}=`))) {
    const code = location === null ? null : new URL(location, baseUrl).searchParams;
    return { location: signInPath(noticeOf(code?.get('error') ?? code?.get('notice') ?? null)), cookies };
  }
  const previous = hashSessionToken(request.cookies[name] ?? '');
  if (previous !== null) await closeSession(consoleSql(), previous);
  const target = location === null ? null : new URL(location, baseUrl);
  return { location: returnPath(target && `${target.pathname}${target.search}`, baseUrl), cookies };
}
