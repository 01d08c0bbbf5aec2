'use client';
import Link from 'next/link';
import { useRef } from 'react';
import { pages } from '../../lib/client/addresses.ts';
import { operationsQuestion } from '../../lib/client/questions.ts';
import { rowKeys } from '../../lib/client/row-keys.ts';
import { useAnswer } from '../../lib/client/use-answer.ts';
import { useKey } from '../../lib/client/use-key.ts';
import type { OperationPage } from '../../lib/shapes/case-row.ts';
import type { OperationSearch } from '../../lib/shapes/operation-search.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { Pager } from '../ui/pager.tsx';
import { Placard } from '../ui/placard.tsx';
import { OperationFilters } from './operation-filters.tsx';
import { OperationListRow } from './operation-list-row.tsx';

/** Every operation of the scope, the last changed first. Filters and page are in the address. */
export function OperationsScreen({
  scope,
  search,
  initial,
}: {
  scope: Scope;
  search: OperationSearch;
  initial: OperationPage;
}) {
  const { status = null, tool = null, q = null, after = null } = search;
  const { answer } = useAnswer(operationsQuestion(scope, { status, tool, q, after }), initial);
  const list = useRef<HTMLTableElement>(null);
  useKey('j', () => rowKeys.move(list.current, 1));
  useKey('k', () => rowKeys.move(list.current, -1));
  const isFiltered = status !== null || tool !== null || q !== null;
  return (
    <div className="flex min-h-0 flex-col gap-4 px-4 py-5 sm:px-6 lg:h-full lg:overflow-y-auto">
      <h1 className="text-xl font-semibold tracking-tight">Operations</h1>
      <OperationFilters scope={scope} search={search} tools={answer.tools} />
      {answer.operations.length === 0 ? (
        <Placard title={isFiltered ? 'No operation matches' : 'No operation yet'} tone="closed">
          {isFiltered ? (
            <>
              <p>
                Found are whole receipts, trace ids and business references, and the beginning of a key or of
                a fingerprint, in <bdi>{scope.tenant}</bdi> {scope.environment} only.
              </p>
              <Link href={pages.operations(scope)} className="font-semibold text-accent hover:underline">
                See all operations
              </Link>
            </>
          ) : (
            <p>
              The first tool call that goes through an executor of this tenant and environment appears here.
            </p>
          )}
        </Placard>
      ) : (
        <>
          <div className="overflow-x-auto rounded-l border border-line bg-surface">
            <table ref={list} className="w-full border-collapse">
              <caption className="sr-only">Operations, the last changed first. Times in UTC.</caption>
              <thead className="bg-sunken text-xs text-ink-2">
                <tr>
                  {['State', 'Tool', 'Key', 'Fingerprint', 'Receipt', 'Changed'].map((name) => (
                    <th
                      key={name}
                      scope="col"
                      className="px-3 py-1.5 text-start font-medium whitespace-nowrap"
                    >
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {answer.operations.map((one) => (
                  <OperationListRow key={one.operation_key} scope={scope} item={one} />
                ))}
              </tbody>
            </table>
          </div>
          <Pager
            shown={answer.operations.length}
            first={after === null ? null : pages.operations(scope, { status, tool, q })}
            next={
              answer.next === null ? null : pages.operations(scope, { status, tool, q, after: answer.next })
            }
          />
        </>
      )}
    </div>
  );
}
