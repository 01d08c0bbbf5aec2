import { NextResponse, type NextRequest } from 'next/server';
import { PATH_HEADER } from './lib/auth/path-header.ts';
import { env } from './lib/env.ts';
import { contentSecurityPolicy, newNonce, securityHeaders } from './lib/http/security-headers.ts';

/**
 * Puts the security headers on every answer, 404s and prefetches included: there is no matcher on purpose. It
 * decides nothing about access; every page and handler does that itself.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = newNonce();
  const development = process.env.NODE_ENV === 'development';
  const policy = contentSecurityPolicy(nonce, development);

  // Next takes the nonce from here, so what the client sent under these names must not survive
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  headers.set(PATH_HEADER, `${request.nextUrl.pathname}${request.nextUrl.search}`);

  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  const https = env().NEXTAUTH_URL?.startsWith('https:') ?? false;
  for (const [name, value] of Object.entries(securityHeaders({ https }))) response.headers.set(name, value);
  if (!request.nextUrl.pathname.startsWith('/_next/')) response.headers.set('cache-control', 'no-store');
  return response;
}
