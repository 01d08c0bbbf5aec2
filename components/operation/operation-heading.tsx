'use client';
import { useEffect, useRef, type ReactNode } from 'react';
import { takeFocusRequest } from '../../lib/client/last-verdict.ts';
import type { OperationDetail } from '../../lib/shapes/operation-record.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { KeyText } from '../ui/key-text.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { StateTag } from './state-tag.tsx';

/** Which operation this is: tool, state, what it is about, its whole key. Takes the focus after a verdict. */
export function OperationHeading({ detail, children }: { detail: OperationDetail; children?: ReactNode }) {
  const { record, target } = detail;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takeFocusRequest()) heading.current?.focus();
  }, []);
  return (
    <header className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <h1 ref={heading} tabIndex={-1} className="rounded-s text-xl font-semibold tracking-tight">
          <bdi>{record.tool_name}</bdi>
        </h1>
        <StateTag
          status={record.status}
          pendingReason={record.pending_reason}
          contradicted={record.contradicted_at !== null}
        />
        {target === null ? null : (
          <span className="text-md text-ink-2">
            <VisibleText text={target} limit={120} />
          </span>
        )}
        <div className="ms-auto flex items-center gap-3">{children}</div>
      </div>
      <p className="flex items-center gap-1">
        <KeyText text={record.operation_key} className="text-sm" />
        <CopyButton text={record.operation_key} what="operation key" />
      </p>
      <p className="text-xs text-ink-3">
        contract {record.tool_version}
        {record.effect_class === null ? null : ` · ${record.effect_class.replaceAll('_', ' ')}`}
        {record.adopted ? ' · adopted row' : ` · attempt ${record.attempt}`}
        {detail.contract === null ? '' : ` of ${detail.contract.max_attempts}`}
        {detail.contract?.owner == null ? null : (
          <>
            {' '}
            · owner <bdi>{detail.contract.owner}</bdi>
          </>
        )}
      </p>
    </header>
  );
}
