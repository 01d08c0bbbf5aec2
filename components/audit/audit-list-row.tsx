'use client';
import Link from 'next/link';
import { keyTail, pages } from '../../lib/client/addresses.ts';
import { actorWords, auditWords } from '../../lib/client/audit-words.ts';
import { stateMark, type StateMark } from '../../lib/client/status-words.ts';
import type { AuditEntry } from '../../lib/shapes/audit.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { Ago, Instant } from '../ui/instant.tsx';
import { KeyText } from '../ui/key-text.tsx';
import { MarkIcon } from '../ui/mark-icon.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

const QUIET: StateMark = { word: '', tone: 'rejected', shape: 'ring' };
const DENIED: StateMark = { word: '', tone: 'failed', shape: 'minus' };

/** One entry: who, what, why, on which evidence, and its place in the chain. */
export function AuditListRow({ scope, entry }: { scope: Scope; entry: AuditEntry }) {
  const words = auditWords(entry);
  const isDenial = /denied|refused|conflict/.test(entry.action);
  const mark = isDenial ? DENIED : words.verdict === null ? QUIET : stateMark({ status: words.verdict });
  return (
    <li className="grid grid-cols-[2.5rem_auto_minmax(0,1fr)] items-start gap-x-3 px-3.5 py-2.5 md:grid-cols-[2.5rem_auto_minmax(0,1fr)_auto]">
      <span className="text-end font-mono text-xs leading-[18px] text-ink-3">{entry.sequence}</span>
      <MarkIcon shape={mark.shape} tone={mark.tone} className="mt-px" />
      <div className="flex min-w-0 flex-col gap-[3px]">
        <p>
          <strong className="font-semibold">
            <VisibleText text={actorWords(entry)} limit={80} />
          </strong>{' '}
          {words.what}
          {words.note === null ? null : <span className="text-ink-2">: {words.note}</span>}
        </p>
        {entry.operation_key === null ? null : (
          <p className="text-xs">
            <Link
              data-row
              href={pages.operation(scope, entry.operation_key)}
              className="font-semibold text-accent hover:underline"
            >
              <KeyText text={keyTail(scope, entry.operation_key)} />
            </Link>
          </p>
        )}
        {words.reason === null ? null : (
          <p className="max-w-[76ch] text-ink-2">
            <VisibleText text={words.reason} limit={1_000} />
          </p>
        )}
        {words.effectReference === null && words.evidenceIds.length === 0 ? null : (
          <p className="flex flex-wrap gap-x-3 text-xs text-ink-3">
            {words.effectReference === null ? null : (
              <span>
                receipt <KeyText text={words.effectReference} className="text-ink-2" />
              </span>
            )}
            {words.evidenceIds.length === 0 ? null : (
              <span>
                on evidence{' '}
                <KeyText
                  text={words.evidenceIds.map((id) => id.slice(0, 8)).join(', ')}
                  className="text-ink-2"
                />
              </span>
            )}
          </p>
        )}
      </div>
      <div className="col-start-3 flex flex-wrap gap-x-3 text-xs text-ink-2 md:col-start-4 md:flex-col md:items-end">
        <span>
          <Instant at={entry.at} zone /> · <Ago at={entry.at} />
        </span>
        <span className="font-mono text-2xs text-ink-3" title={`hash ${entry.hash}`}>
          {entry.hash.slice(0, 12)}
        </span>
      </div>
    </li>
  );
}
