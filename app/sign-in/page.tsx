import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Button } from '../../components/ui/button.tsx';
import { Wordmark } from '../../components/ui/wordmark.tsx';
import { findCaller } from '../../lib/auth/caller.ts';
import { returnPath } from '../../lib/auth/return-path.ts';
import { signInNotice, type SignInNotice } from '../../lib/auth/sign-in-notice.ts';
import { need } from '../../lib/env.ts';
import { DatabaseError } from '../../lib/errors.ts';
import { Notice } from './notice.tsx';
import { TwoDeliveries } from './two-deliveries.tsx';

export const metadata: Metadata = { title: 'Sign in' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** The only public page. */
export default async function SignInPage({ searchParams }: Props) {
  const query = await searchParams;
  const to = returnPath(typeof query['to'] === 'string' ? query['to'] : null, need('NEXTAUTH_URL'));
  const told = signInNotice(query['notice']);
  const session = await sessionState();
  if (session === 'open') redirect(to);
  const notice: SignInNotice | null = session === 'not known' ? 'unavailable' : told;
  const issuer = new URL(need('OIDC_ISSUER'));

  return (
    <main className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
      <div className="flex flex-col justify-between gap-10 px-6 py-7 sm:px-12 lg:px-16">
        <Wordmark />
        <div className="w-full max-w-[38ch]">
          <h1 className="text-xl font-semibold tracking-tight">Sign in</h1>
          <p className="mt-2 mb-6 text-md text-pretty text-ink-2">
            The queue of operations whose outcome nobody can prove, and the record of who decided what.
          </p>
          {notice === null ? null : <Notice notice={notice} provider={issuer.host} />}
          <form method="post" action="/api/auth/sign-in">
            <input type="hidden" name="to" value={to} />
            <Button submits look="primary" className="w-full">
              Continue to sign in
            </Button>
          </form>
          <p className="mt-3 text-sm text-pretty text-ink-3">
            At{' '}
            <bdi dir="ltr" className="font-mono text-xs text-ink-2">
              {issuer.host}
            </bdi>
            , your identity provider. No password is typed or kept here.
          </p>
        </div>
        <p className="text-xs text-ink-3">A session ends after 12 hours. Sign-ins are audited.</p>
      </div>
      <TwoDeliveries />
    </main>
  );
}

async function sessionState(): Promise<'open' | 'none' | 'not known'> {
  try {
    return (await findCaller()) === null ? 'none' : 'open';
  } catch (error) {
    if (error instanceof DatabaseError) return 'not known';
    throw error;
  }
}
