'use client';
import type { EvidenceRun } from '../../lib/client/evidence-runs.ts';
import { proofOf } from '../../lib/client/evidence-proof.ts';
import { evidenceMark } from '../../lib/client/status-words.ts';
import type { EvidenceItem, OperationDetail } from '../../lib/shapes/operation-record.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Ago, Instant } from '../ui/instant.tsx';
import { KeyText } from '../ui/key-text.tsx';
import { MarkIcon } from '../ui/mark-icon.tsx';
import { Tag } from '../ui/tag.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

const SOURCES: Record<EvidenceItem['source'], string> = {
  lookup: 'by',
  job: 'from its job, by',
  late_answer: 'in a late answer of the worker, by',
  person: 'by',
};

/** One answer of a system of record: what, asked when and by whom, what it proves, how often it was the same before. */
export function EvidenceRunView({ run, detail }: { run: EvidenceRun; detail: OperationDetail }) {
  const { item, earlier } = run;
  const first = earlier.at(-1);
  const mark = evidenceMark(item.answer);
  const proof = proofOf(item, detail);
  return (
    <div className="flex gap-2.5 px-3.5 py-3">
      <MarkIcon shape={mark.shape} tone={mark.tone} className="mt-px" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1">
          <strong className="font-semibold">{mark.word}</strong>
          {item.effect_reference === null ? null : (
            <span className="-my-[3px] flex items-center gap-0.5">
              <KeyText text={item.effect_reference} />
              <CopyButton text={item.effect_reference} what="receipt" />
            </span>
          )}
          <span>
            {SOURCES[item.source]} {(item.looked_up_by ?? item.source).replaceAll('_', ' ')}
          </span>
          <Tag tone={proof.tone}>{proof.word}</Tag>
        </p>
        <p className="max-w-[62ch] text-ink-2">
          <VisibleText text={item.summary} limit={600} />
          {item.committed_at === null ? null : (
            <>
              {' '}
              Committed <Instant at={item.committed_at} precise zone />.
            </>
          )}
        </p>
        <p className="text-xs text-ink-2">
          <Instant at={item.asked_at} /> · <Ago at={item.asked_at} />
          <span className="text-ink-3">
            , asked by{' '}
            <VisibleText text={item.asked_by_name ?? item.asked_by.replace(/^system:/, '')} limit={80} />
          </span>
          {first === undefined ? null : (
            <span className="text-ink-3">
              ; the same {earlier.length === 1 ? 'once' : `${earlier.length} times`} before, since{' '}
              <Instant at={first.asked_at} />
            </span>
          )}
        </p>
      </div>
    </div>
  );
}
