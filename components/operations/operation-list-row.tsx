'use client';
import Link from 'next/link';
import { keyTail, pages, shortFingerprint } from '../../lib/client/addresses.ts';
import type { OperationRow } from '../../lib/shapes/case-row.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { StateTag } from '../operation/state-tag.tsx';
import { Ago, Instant } from '../ui/instant.tsx';
import { KeyText } from '../ui/key-text.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

/** One operation of the list; its key is the link, the whole row takes the click. */
export function OperationListRow({ scope, item }: { scope: Scope; item: OperationRow }) {
  return (
    <tr className="relative border-t border-line hover:bg-canvas has-[a:focus-visible]:bg-accent-soft">
      <td className="px-3 py-2 whitespace-nowrap">
        <StateTag status={item.status} pendingReason={item.pending_reason} contradicted={item.contradicted} />
      </td>
      <td className="px-3 py-2 whitespace-nowrap">
        <bdi className="font-semibold">{item.tool_name}</bdi>
        {item.target === null ? null : (
          <span className="ms-2 inline-block max-w-[22ch] truncate align-bottom text-ink-2">
            <VisibleText text={item.target.replaceAll(/\s+/g, ' ')} limit={60} oneLine />
          </span>
        )}
      </td>
      <td className="max-w-[26rem] min-w-48 px-3 py-2 text-xs">
        <Link
          href={pages.operation(scope, item.operation_key)}
          data-row
          className="after:absolute after:inset-0 focus-visible:outline-offset-4"
        >
          <KeyText text={keyTail(scope, item.operation_key)} />
        </Link>
      </td>
      <td className="px-3 py-2 text-xs text-ink-2">
        <KeyText text={shortFingerprint(item.request_fingerprint)} />
      </td>
      <td className="px-3 py-2 text-xs">
        {item.effect_reference === null ? (
          <span className="text-ink-3">no receipt</span>
        ) : (
          <KeyText text={item.effect_reference} />
        )}
      </td>
      <td className="px-3 py-2 text-xs whitespace-nowrap text-ink-2">
        <Instant at={item.updated_at} /> · <Ago at={item.updated_at} />
      </td>
    </tr>
  );
}
