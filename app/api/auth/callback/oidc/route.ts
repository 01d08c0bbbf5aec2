import { cookies } from 'next/headers';
import { finishSignIn } from '../../../../../lib/auth/finish-sign-in.ts';
import { publicHandler } from '../../../../../lib/http/handler.ts';
import { seeOther } from '../../../../../lib/http/see-other.ts';

/** Where the identity provider sends the browser back to. */
export const GET = publicHandler({}, async ({ request }) => {
  const jar = await cookies();
  const done = await finishSignIn({
    query: Object.fromEntries(new URL(request.url).searchParams),
    cookies: Object.fromEntries(jar.getAll().map((cookie) => [cookie.name, cookie.value])),
  });
  return seeOther(done.location, done.cookies);
});
