'use client';
import clsx from 'clsx';
import Link from 'next/link';
import { useLastVerdict } from '../../lib/client/last-verdict.ts';
import { MarkIcon } from '../ui/mark-icon.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { stateMark } from '../../lib/client/status-words.ts';

/** Says on the next case what was recorded about the last one, with the way back. */
export function LastVerdictNotice({ current }: { current: string | null }) {
  const last = useLastVerdict();
  const isElsewhere = last !== null && last.key !== current;
  const mark = stateMark({ status: last?.status ?? 'applied' });
  return (
    <div role="status" className={clsx(!isElsewhere && '-mb-5')}>
      {isElsewhere ? (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-m border border-line bg-surface px-3 py-2">
          <MarkIcon shape={mark.shape} tone={mark.tone} />
          <span>
            Recorded: <bdi className="font-semibold">{last.tool}</bdi>{' '}
            {last.target === null ? null : <VisibleText text={last.target} limit={60} oneLine />} is{' '}
            {mark.word}
            {last.auditSequence === null ? '' : `, audit entry ${last.auditSequence}`}.
          </span>
          <Link href={last.href} className="font-semibold text-accent hover:underline">
            Go back to it
          </Link>
        </p>
      ) : null}
    </div>
  );
}
