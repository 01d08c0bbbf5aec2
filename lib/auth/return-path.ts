/**
 * Where to go after sign-in: a path of our own pages, or `/`. Whatever a browser could read as another origin
 * (`//host`, `/\host`, a scheme) or as a handler is not followed.
 */
export function returnPath(wanted: string | null | undefined, baseUrl: string): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])/.test(wanted) || wanted.length > 2_000) return '/';
  const base = new URL(baseUrl);
  const url = URL.parse(wanted, base);
  if (url === null || url.origin !== base.origin || !/^\/(?![/\\])/.test(url.pathname)) return '/';
  if (/^\/(api|sign-in)(\/|$)/.test(url.pathname)) return '/';
  return `${url.pathname}${url.search}`;
}
