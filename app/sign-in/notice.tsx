import { clsx } from 'clsx';
import { MarkIcon } from '../../components/ui/mark-icon.tsx';
import type { SignInNotice } from '../../lib/auth/sign-in-notice.ts';

type Words = {
  mark: 'check' | 'minus' | 'alert' | 'cross';
  tone: 'applied' | 'rejected' | 'unknown' | 'failed';
  title: string;
};

const WORDS: Record<SignInNotice, Words & { text: (provider: string) => string }> = {
  'signed-out': {
    mark: 'check',
    tone: 'applied',
    title: 'Signed out',
    text: () => 'Your session is closed on the server, also in copies of it.',
  },
  cancelled: {
    mark: 'minus',
    tone: 'rejected',
    title: 'Not signed in',
    text: (provider) => `The sign-in at ${provider} was not finished.`,
  },
  denied: {
    mark: 'cross',
    tone: 'failed',
    title: 'No access',
    text: () => 'You are known, but your access here is switched off. An administrator can switch it on.',
  },
  failed: {
    mark: 'cross',
    tone: 'failed',
    title: 'The sign-in could not be verified',
    text: () =>
      'It took too long, was begun in another window, or a check of the answer failed. Begin it here anew.',
  },
  unreachable: {
    mark: 'alert',
    tone: 'unknown',
    title: 'The identity provider does not answer',
    text: (provider) => `${provider} was not reached. Nothing is wrong with your account.`,
  },
  unavailable: {
    mark: 'alert',
    tone: 'unknown',
    title: 'The database does not answer',
    text: () => 'Sessions cannot be read or opened now. You may still be signed in once it is back.',
  },
};

const GROUND = {
  applied: 'border-applied/30 bg-applied-soft',
  rejected: 'border-line bg-rejected-soft',
  unknown: 'border-unknown-hatch bg-unknown-soft',
  failed: 'border-failed/30 bg-failed-soft',
} as const;

/** Why the page is shown again, in words that say what to do. */
export function Notice({ notice, provider }: { notice: SignInNotice; provider: string }) {
  const { mark, tone, title, text } = WORDS[notice];
  return (
    <output className={clsx('mb-5 flex gap-2.5 rounded-m border px-3 py-2.5', GROUND[tone])}>
      <MarkIcon shape={mark} tone={tone} className="mt-px" />
      <span>
        <span className="block text-sm font-semibold text-ink">{title}</span>
        <span className="mt-0.5 block text-sm text-pretty text-ink-2">{text(provider)}</span>
      </span>
    </output>
  );
}
