'use client';
import { figuresQuestion } from '../../lib/client/questions.ts';
import { useServerNow } from '../../lib/client/server-clock.ts';
import { absoluteTime, duration, millisOf } from '../../lib/client/time.ts';
import { useAnswer } from '../../lib/client/use-answer.ts';
import type { CaseFigures } from '../../lib/shapes/case-row.ts';
import type { Scope } from '../../lib/shapes/scope.ts';

/** The state of the queue in four figures. */
export function QueueFigures({ scope, figures }: { scope: Scope; figures: CaseFigures }) {
  const { answer } = useAnswer(figuresQuestion(scope), figures);
  const now = useServerNow();
  const oldest = answer.oldest_at;
  return (
    <header className="flex items-end gap-5 border-b border-line px-4 py-2.5">
      <h1 className="sr-only">Queue</h1>
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        <Figure name="open" value={String(answer.open)} />
        <Figure
          name="oldest"
          value={oldest === null ? '–' : duration(now - millisOf(oldest))}
          {...(oldest === null ? {} : { title: `since ${absoluteTime(oldest)}` })}
        />
        <Figure name="stuck pending" value={String(answer.stuck_pending)} />
        <Figure name="receipt found" value={String(answer.receipt_found)} />
      </dl>
    </header>
  );
}

function Figure({ name, value, title }: { name: string; value: string; title?: string }) {
  return (
    <div className="flex flex-col-reverse" title={title}>
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className="text-[14.5px] leading-5 font-semibold">{value}</dd>
    </div>
  );
}
