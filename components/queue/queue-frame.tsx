'use client';
import clsx from 'clsx';
import { useSelectedLayoutSegment } from 'next/navigation';
import type { ReactNode } from 'react';

/** The list beside the case. On a narrow screen one of the two, the case where one is open. */
export function QueueFrame({ list, children }: { list: ReactNode; children: ReactNode }) {
  const isOpen = useSelectedLayoutSegment() !== null;
  return (
    <div className="grid min-h-0 lg:h-full lg:grid-cols-[minmax(19rem,25rem)_minmax(0,1fr)]">
      <div className={clsx('min-h-0 border-e border-line', isOpen && 'hidden lg:block')}>{list}</div>
      <div className={clsx('min-h-0 min-w-0', !isOpen && 'hidden lg:block')}>{children}</div>
    </div>
  );
}
