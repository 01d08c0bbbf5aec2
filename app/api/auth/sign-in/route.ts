import { z } from 'zod';
import { startSignIn } from '../../../../lib/auth/start-sign-in.ts';
import { publicHandler } from '../../../../lib/http/handler.ts';
import { seeOther } from '../../../../lib/http/see-other.ts';

const form = z.object({ to: z.optional(z.string()) });

/** The button of the sign-in page. */
export const POST = publicHandler({ form, maxBodyBytes: 8 * 1024 }, async ({ body }) => {
  const start = await startSignIn(body.to ?? null);
  return start.to === 'provider' ? goOn(start.location, start.cookies) : seeOther(start.location);
});

/**
 * A page that goes on by itself. A redirect would belong to the form, and then every site that the provider passes
 * people through would have to be in our `form-action`.
 */
function goOn(location: string, cookies: readonly string[]): Response {
  const href = new URL(location).href.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const html =
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">` +
    `<title>Signing in · Replay Desk</title>` +
    `<p><a href="${href}">Go on to your identity provider</a></p></html>`;
  const response = new Response(html, {
    headers: { 'content-type': 'text/html; charset=utf-8', refresh: `0; url=${new URL(location).href}` },
  });
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}
