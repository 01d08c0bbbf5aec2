'use client';
import { millisOf } from '../../lib/client/time.ts';
import { nextCall } from '../../lib/client/next-call.ts';
import type { KeptDraft } from '../../lib/client/verdict-draft.ts';
import { changeSince } from '../../lib/client/change-since.ts';
import { stateMark } from '../../lib/client/status-words.ts';
import { verdictWords } from '../../lib/client/verdict-words.ts';
import { toFacts } from '../../lib/shapes/facts.ts';
import type { OperationDetail } from '../../lib/shapes/operation-record.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Instant } from '../ui/instant.tsx';
import { MarkIcon } from '../ui/mark-icon.tsx';
import { ConflictNotice } from './conflict-notice.tsx';
import { NextCallPreview } from './next-call-preview.tsx';

type DecidedPanelProps = { detail: OperationDetail; kept: KeptDraft };

/** A case that is resolved: by whom, and what the agent gets from now on. Text that came too late is kept. */
export function DecidedPanel({ detail, kept }: DecidedPanelProps) {
  const { record, decisions } = detail;
  const { draft, clear } = kept;
  const mark = stateMark({ status: record.status, contradicted: record.contradicted_at !== null });
  const isMine = decisions.some((one) => one.decision_id === draft.sent?.id);
  const decision = decisions.find((one) => record.resolved_by === `decision:${one.decision_id}`);
  const moved =
    draft.verdict !== null && draft.version !== null && !isMine ? changeSince(draft.version, detail) : null;
  return (
    <>
      <h2 id="verdict" className="eyebrow">
        Resolved
      </h2>
      {moved === null ? null : (
        <ConflictNotice conflict={moved} against={draft.version}>
          <div className="flex flex-col gap-1.5 rounded-s bg-surface p-2 text-xs">
            <p>
              You were about to say{' '}
              <strong className="font-semibold">{verdictWords(draft.verdict ?? 'applied').title}</strong>
              {draft.reason === '' ? '.' : ', because:'}
            </p>
            {draft.reason === '' ? null : (
              <p dir="auto" className="whitespace-pre-wrap">
                {draft.reason}
              </p>
            )}
            <p className="flex items-center gap-1">
              {draft.reason === '' ? null : <CopyButton text={draft.reason} what="your text" />}
              <Button look="link" onClick={clear}>
                Discard my text
              </Button>
            </p>
          </div>
        </ConflictNotice>
      )}
      <div className="flex gap-2.5 rounded-m border border-line p-3">
        <MarkIcon shape={mark.shape} tone={mark.tone} className="mt-px" />
        <div className="flex min-w-0 flex-col gap-1">
          <p className="font-semibold">{decision ? verdictWords(decision.verdict).title : mark.word}</p>
          <p className="text-xs text-ink-2">
            {decision ? (
              <>
                <bdi>{decision.decided_by_name}</bdi>, <Instant at={decision.decided_at} zone />, against
                version {decision.expected_version}.
              </>
            ) : (
              <>
                {record.resolved_by === 'reconciler' ? 'Settled by the reconciler' : 'Recorded by the worker'}
                , <Instant at={record.updated_at} zone />. No person had to decide.
              </>
            )}
          </p>
        </div>
      </div>
      <NextCallPreview
        title="If it is delivered now"
        call={nextCall(toFacts(detail.facts), record, millisOf(detail.checked_at))}
      />
    </>
  );
}
