'use client';
import clsx from 'clsx';
import Link from 'next/link';
import { keyTail, pages, shortFingerprint } from '../../lib/client/addresses.ts';
import { reasonLine } from '../../lib/client/reason-line.ts';
import { useServerNow } from '../../lib/client/server-clock.ts';
import { stateMark } from '../../lib/client/status-words.ts';
import { absoluteTime, duration, millisOf, untilDue } from '../../lib/client/time.ts';
import type { CaseRow } from '../../lib/shapes/case-row.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { KeyText } from '../ui/key-text.tsx';
import { MarkIcon } from '../ui/mark-icon.tsx';
import { TONE_TEXT } from '../ui/tone.ts';
import { VisibleText } from '../ui/visible-text.tsx';

/** One case in the list: what it is, why it is here, how old, and when an answer is due. */
export function CaseListRow({
  scope,
  item,
  isSelected,
}: {
  scope: Scope;
  item: CaseRow;
  isSelected: boolean;
}) {
  const now = useServerNow();
  const mark = stateMark(item);
  const due = untilDue(item.due_at, now);
  const receipt = item.effect_reference ?? item.evidence_reference;
  return (
    <li className="border-b border-line">
      <Link
        href={pages.case(scope, item.operation_key)}
        data-row
        aria-current={isSelected ? 'page' : undefined}
        className={clsx(
          'grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2.5 border-s-[3px] py-2.5 ps-3 pe-3.5 outline-offset-[-2px]',
          isSelected ? 'border-s-accent bg-accent-soft' : 'border-s-transparent hover:bg-canvas',
        )}
      >
        <MarkIcon shape={mark.shape} tone={mark.tone} className="mt-px" />
        <span className="flex min-w-0 flex-col gap-[3px]">
          <span className="flex items-baseline gap-2">
            <bdi className="shrink-0 font-semibold">{item.tool_name}</bdi>
            {item.target === null ? null : (
              <span className="truncate text-ink-2">
                <VisibleText text={item.target.replaceAll(/\s+/g, ' ')} limit={80} oneLine />
              </span>
            )}
          </span>
          <span className="text-xs text-ink-2">
            <span className={clsx('font-semibold', TONE_TEXT[mark.tone])}>{mark.word}</span> ·{' '}
            <VisibleText text={reasonLine(item, now)} limit={200} />
          </span>
        </span>
        <span className="flex flex-col items-end gap-[3px] text-xs whitespace-nowrap">
          <time
            dir="ltr"
            dateTime={item.due_at}
            title={`due ${absoluteTime(item.due_at)}`}
            className={clsx('leading-[18px]', due.isClose ? 'font-semibold text-failed' : 'text-ink-2')}
          >
            {due.text}
          </time>
          <time
            dir="ltr"
            dateTime={item.case_at}
            title={`a case since ${absoluteTime(item.case_at)}`}
            className="text-ink-3"
          >
            {duration(now - millisOf(item.case_at))} old
          </time>
        </span>
        <span className="col-span-2 col-start-2 mt-[3px] flex items-baseline gap-3 text-2xs text-ink-2">
          <KeyText text={keyTail(scope, item.operation_key)} cut className="min-w-0" />
          <KeyText text={shortFingerprint(item.request_fingerprint)} className="shrink-0" />
          {receipt === null ? (
            <span className="shrink-0 font-mono text-ink-3">no receipt</span>
          ) : (
            <KeyText text={receipt} cut className="max-w-32 shrink-0 font-semibold text-applied" />
          )}
        </span>
      </Link>
    </li>
  );
}
