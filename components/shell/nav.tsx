'use client';
import clsx from 'clsx';
import Link from 'next/link';
import { useSelectedLayoutSegment } from 'next/navigation';
import { pages } from '../../lib/client/addresses.ts';
import { figuresQuestion } from '../../lib/client/questions.ts';
import { useAnswer } from '../../lib/client/use-answer.ts';
import type { CaseFigures } from '../../lib/shapes/case-row.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { Tooltip } from '../ui/tooltip.tsx';

/** The rooms of the console. The count beside the queue is the number of open cases. */
export function Nav({ scope, figures }: { scope: Scope; figures: CaseFigures }) {
  const { answer } = useAnswer(figuresQuestion(scope), figures);
  const segment = useSelectedLayoutSegment();
  const item = (room: string, word: string, href: string, keys: string[], count?: number) => (
    <li>
      <Tooltip text={word} keys={keys} side="beside">
        <Link
          href={href}
          aria-current={segment === room ? 'page' : undefined}
          className={clsx(
            'flex h-7 items-center justify-between gap-3 rounded-m border px-2 text-sm whitespace-nowrap',
            segment === room
              ? 'border-line bg-raised font-semibold text-ink'
              : 'border-transparent text-ink-2 hover:bg-raised/60 hover:text-ink',
          )}
        >
          {word}
          {count === undefined ? null : (
            <span className={segment === room ? 'font-medium text-ink-2' : 'text-ink-3'}>
              {count}
              <span className="sr-only"> open</span>
            </span>
          )}
        </Link>
      </Tooltip>
    </li>
  );
  return (
    <nav
      aria-label="Console"
      className="flex items-center gap-1 overflow-x-auto px-2 py-1 lg:block lg:overflow-visible lg:px-2.5 lg:py-0"
    >
      <ul className="flex gap-0.5 lg:flex-col">
        {item('queue', 'Queue', pages.queue(scope), ['g', 'q'], answer.open)}
        {item('operations', 'Operations', pages.operations(scope), ['g', 'o'])}
      </ul>
      <p aria-hidden="true" className="hidden px-2 pt-4 pb-1 eyebrow font-normal lg:block">
        Review
      </p>
      <ul className="flex gap-0.5 lg:flex-col">{item('audit', 'Audit', pages.audit(scope), ['g', 'a'])}</ul>
    </nav>
  );
}
