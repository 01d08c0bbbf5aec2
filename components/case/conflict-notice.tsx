'use client';
import type { ReactNode } from 'react';
import { eventWords } from '../../lib/client/event-words.ts';
import { stateMark } from '../../lib/client/status-words.ts';
import type { DecisionConflict } from '../../lib/shapes/decision.ts';
import { Instant } from '../ui/instant.tsx';
import { MarkIcon } from '../ui/mark-icon.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

/** The case moved while a person wrote: who changed what and when, against which version they wrote, what it is now. */
export function ConflictNotice({
  conflict,
  against,
  children,
}: {
  conflict: DecisionConflict;
  against: number | null;
  children?: ReactNode;
}) {
  return (
    <div role="alert" className="flex gap-2.5 rounded-m border border-unknown bg-unknown-soft p-3 text-ink">
      <MarkIcon shape="alert" tone="unknown" className="mt-px" />
      <div className="flex min-w-0 flex-col gap-1.5">
        <p className="font-semibold">The case changed while you were writing</p>
        <p className="text-xs">
          {conflict.changed_by ? (
            <VisibleText text={whoWords(conflict.changed_by)} limit={120} />
          ) : (
            'Somebody'
          )}
          {conflict.change ? changeWords(conflict.change) : ' changed it'}
          {conflict.changed_at ? (
            <>
              {' '}
              at <Instant at={conflict.changed_at} zone />
            </>
          ) : null}
          . You wrote against version {against ?? '–'}; it is now version {conflict.version ?? '–'}
          {conflict.status ? `, ${stateMark({ status: conflict.status }).word}` : ''}. Nothing of yours was
          recorded. Your text is kept.
        </p>
        {children}
      </div>
    </div>
  );
}

/** A decision is quoted; everything else is named. */
function changeWords(change: string): string {
  const words = eventWords(change);
  return words.startsWith('decided: ')
    ? ` decided “${words.slice('decided: '.length)}”`
    : ` changed it (${words})`;
}

const whoWords = (who: string) => (who.startsWith('system:') ? `The ${who.slice(7)} worker` : who);
