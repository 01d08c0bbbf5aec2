'use client';
import Form from 'next/form';
import Link from 'next/link';
import { pages } from '../../lib/client/addresses.ts';
import { stateMark } from '../../lib/client/status-words.ts';
import { STATUSES } from '../../lib/domain/states.ts';
import type { OperationSearch } from '../../lib/shapes/operation-search.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { Button } from '../ui/button.tsx';

const FIELD = 'h-7 min-w-0 rounded-m border border-line-strong bg-surface px-2 text-sm';

/** The filters of the list. Sending them puts them into the address. */
export function OperationFilters({
  scope,
  search,
  tools,
}: {
  scope: Scope;
  search: OperationSearch;
  tools: string[];
}) {
  const isFiltered = search.status ?? search.tool ?? search.q;
  return (
    <Form action={pages.operations(scope)} aria-label="Filters" className="flex flex-wrap items-end gap-3">
      <label className="flex flex-col gap-1 text-xs text-ink-2">
        Status
        <select name="status" defaultValue={search.status ?? ''} className={FIELD}>
          <option value="">any</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {stateMark({ status }).word}
            </option>
          ))}
        </select>
      </label>
      <label className="flex flex-col gap-1 text-xs text-ink-2">
        Tool
        <select name="tool" defaultValue={search.tool ?? ''} className={FIELD}>
          <option value="">any</option>
          {tools.map((tool) => (
            <option key={tool}>{tool}</option>
          ))}
        </select>
      </label>
      <label className="flex min-w-48 flex-1 flex-col gap-1 text-xs text-ink-2 sm:max-w-80">
        Key, receipt, fingerprint or trace
        <input
          name="q"
          type="search"
          defaultValue={search.q ?? ''}
          maxLength={1_024}
          spellCheck={false}
          className={FIELD}
        />
      </label>
      <Button submits>Filter</Button>
      {isFiltered ? (
        <Link
          href={pages.operations(scope)}
          className="flex h-7 items-center font-semibold text-accent hover:underline"
        >
          Clear
        </Link>
      ) : null}
    </Form>
  );
}
