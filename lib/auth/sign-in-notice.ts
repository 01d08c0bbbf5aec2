/** What the sign-in page may be told by its address; anything else it ignores. */
export const SIGN_IN_NOTICES = [
  'signed-out',
  'denied', // the person is disabled
  'cancelled', // the provider says the person did not go on
  'unreachable', // the provider does not answer
  'unavailable', // our database does not answer
  'failed', // a check of the callback failed, or the sign-in took too long
] as const;
export type SignInNotice = (typeof SIGN_IN_NOTICES)[number];

export function signInNotice(value: unknown): SignInNotice | null {
  return SIGN_IN_NOTICES.find((notice) => notice === value) ?? null;
}

/** next-auth's error codes as ours. */
export function noticeOf(code: string | null): SignInNotice {
  switch (code) {
    case 'AccessDenied':
      return 'denied';
    case 'OAuthSignin':
      return 'unreachable';
    case 'Callback': // its code for an error that an adapter threw
      return 'unavailable';
    default:
      return signInNotice(code) ?? 'failed';
  }
}

export function signInPath(notice: SignInNotice | null, to = '/'): string {
  const query = new URLSearchParams();
  if (notice !== null) query.set('notice', notice);
  if (to !== '/') query.set('to', to);
  return query.size === 0 ? '/sign-in' : `/sign-in?${query}`;
}
