import { signInPath } from '../../../../lib/auth/sign-in-notice.ts';
import { signOut } from '../../../../lib/auth/sign-out.ts';
import { publicHandler } from '../../../../lib/http/handler.ts';
import { seeOther } from '../../../../lib/http/see-other.ts';

/** `<form method="post" action="/api/auth/sign-out">`. Whoever is not signed in any more is told the same. */
export const POST = publicHandler({}, async () => {
  await signOut();
  return seeOther(signInPath('signed-out'));
});
