import { need } from '../env.ts';

/** Sends the browser to a path of ours by GET. Absolute, by our configured address: the request's host is the client's word. */
export function seeOther(path: string, cookies: readonly string[] = []): Response {
  const location = new URL(path, need('NEXTAUTH_URL')).href;
  const response = new Response(null, { status: 303, headers: { location } });
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}
