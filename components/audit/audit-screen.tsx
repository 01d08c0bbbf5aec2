'use client';
import { useRef } from 'react';
import { pages } from '../../lib/client/addresses.ts';
import { auditQuestion } from '../../lib/client/questions.ts';
import { rowKeys } from '../../lib/client/row-keys.ts';
import { useAnswer } from '../../lib/client/use-answer.ts';
import { useKey } from '../../lib/client/use-key.ts';
import type { AuditPage } from '../../lib/shapes/audit.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { KeyText } from '../ui/key-text.tsx';
import { Pager } from '../ui/pager.tsx';
import { Placard } from '../ui/placard.tsx';
import { AuditListRow } from './audit-list-row.tsx';

/** Who did what, on which evidence, the last entry first; and how far the chain reaches. */
export function AuditScreen({
  scope,
  before,
  initial,
}: {
  scope: Scope;
  before: string | null;
  initial: AuditPage;
}) {
  const { answer } = useAnswer(auditQuestion(scope, before), initial);
  const list = useRef<HTMLOListElement>(null);
  useKey('j', () => rowKeys.move(list.current, 1));
  useKey('k', () => rowKeys.move(list.current, -1));
  return (
    <div className="flex min-h-0 flex-col gap-4 px-4 py-5 sm:px-6 lg:h-full lg:overflow-y-auto">
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-xl font-semibold tracking-tight">Audit</h1>
        {answer.head === null ? null : (
          <p className="flex items-center gap-1 text-xs text-ink-2">
            chain: {answer.head.sequence} {answer.head.sequence === 1 ? 'entry' : 'entries'}, head{' '}
            <KeyText text={`${answer.head.hash.slice(0, 12)}…`} className="text-ink" />
            <CopyButton text={answer.head.hash} what="head hash" />
          </p>
        )}
      </header>
      {answer.entries.length === 0 ? (
        <Placard title="Nothing is recorded yet" tone="closed">
          <p>
            Decisions, look-ups and denied attempts of this tenant and environment appear here, each chained
            to the one before.
          </p>
        </Placard>
      ) : (
        <>
          <ol ref={list} className="divide-y divide-line rounded-l border border-line bg-surface">
            {answer.entries.map((entry) => (
              <AuditListRow key={entry.sequence} scope={scope} entry={entry} />
            ))}
          </ol>
          <Pager
            shown={answer.entries.length}
            first={before === null ? null : pages.audit(scope)}
            next={answer.next === null ? null : pages.audit(scope, { before: answer.next })}
          />
        </>
      )}
    </div>
  );
}
