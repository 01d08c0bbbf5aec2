import clsx from 'clsx';
import type { ReactNode } from 'react';

/** A page or panel that has nothing to show says what that means, under the product's own hatched bar. */
export function Placard({
  title,
  children,
  tone = 'calm',
  level = 2,
}: {
  title: string;
  children?: ReactNode;
  tone?: 'calm' | 'doubt' | 'closed';
  level?: 1 | 2;
}) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className="mx-auto flex max-w-[52ch] flex-col items-start gap-2 px-6 py-14 text-start">
      <span
        aria-hidden="true"
        className={clsx(
          'mb-2 h-2.5 w-28 rounded-s border',
          tone === 'doubt' && 'border-unknown hatch',
          tone === 'calm' && 'border-applied bg-applied-soft',
          tone === 'closed' && 'border-dashed border-line-strong',
        )}
      />
      <Heading className="text-lg font-semibold text-balance">{title}</Heading>
      <div className="flex flex-col items-start gap-2 text-md text-ink-2">{children}</div>
    </div>
  );
}
