'use client';
import Link from 'next/link';
import { useParams } from 'next/navigation';
import { useRef } from 'react';
import { pages as addresses } from '../../lib/client/addresses.ts';
import { casesQuestion } from '../../lib/client/questions.ts';
import { rowKeys } from '../../lib/client/row-keys.ts';
import { useKey } from '../../lib/client/use-key.ts';
import { usePages } from '../../lib/client/use-answer.ts';
import type { CaseFigures, CasePage } from '../../lib/shapes/case-row.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { Button } from '../ui/button.tsx';
import { Placard } from '../ui/placard.tsx';
import { CaseListRow } from './case-list-row.tsx';
import { QueueFigures } from './queue-figures.tsx';

/** The open cases, the one due first on top. `j` and `k` move, Enter opens: a row is a link. */
export function QueueList({
  scope,
  first,
  figures,
}: {
  scope: Scope;
  first: CasePage;
  figures: CaseFigures;
}) {
  const { pages, asked } = usePages(casesQuestion(scope), first);
  const { key } = useParams<{ key?: string }>();
  const selected = key === undefined ? null : decodeURIComponent(key);
  const list = useRef<HTMLOListElement>(null);
  useKey('j', () => rowKeys.move(list.current, 1));
  useKey('k', () => rowKeys.move(list.current, -1));

  const cases = pages.flatMap((page) => page.cases);
  const shown = cases.filter(
    (one, index) => cases.findIndex((other) => other.operation_key === one.operation_key) === index,
  );
  return (
    <section aria-label="Queue" className="flex min-h-0 flex-col bg-surface lg:h-full">
      <QueueFigures scope={scope} figures={figures} />
      <div className="min-h-0 flex-1 lg:overflow-y-auto">
        {shown.length === 0 ? (
          <Placard title="No case is open">
            <p>
              Nothing here waits for a person. What gets stuck or cannot be proved appears by itself, the case
              that is due first on top.
            </p>
            <Link href={addresses.operations(scope)} className="font-semibold text-accent hover:underline">
              See all operations
            </Link>
          </Placard>
        ) : (
          <ol ref={list}>
            {shown.map((one) => (
              <CaseListRow
                key={one.operation_key}
                scope={scope}
                item={one}
                isSelected={one.operation_key === selected}
              />
            ))}
          </ol>
        )}
        {asked.hasNextPage ? (
          <div className="flex items-center justify-between gap-3 px-4 py-3 text-xs text-ink-2">
            <span>{shown.length} shown</span>
            <Button onClick={() => void asked.fetchNextPage()} aria-disabled={asked.isFetchingNextPage}>
              Show 50 more
            </Button>
          </div>
        ) : null}
      </div>
    </section>
  );
}
