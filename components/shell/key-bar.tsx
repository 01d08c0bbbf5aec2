'use client';
import Link from 'next/link';
import { useSelectedLayoutSegments } from 'next/navigation';
import { keysOf } from '../../lib/client/key-table.ts';
import { useLastVerdict } from '../../lib/client/last-verdict.ts';
import { Kbd } from '../ui/kbd.tsx';

/** The keys of the screen that is open, and the way back to the case that was decided last. */
export function KeyBar() {
  const segments = useSelectedLayoutSegments();
  const last = useLastVerdict();
  return (
    <footer className="hidden h-[26px] items-center gap-5 overflow-hidden border-t border-line bg-sunken px-3.5 text-xs whitespace-nowrap text-ink-2 lg:flex">
      {keysOf(segments)
        .filter((entry) => entry.inBar)
        .map((entry) => (
          <span key={entry.does} className="flex items-center gap-1.5">
            {entry.keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
            {entry.short}
          </span>
        ))}
      <span className="ms-auto flex items-center gap-2">
        {last === null ? (
          'Times in UTC'
        ) : (
          <>
            <span>
              Last case: {last.tool}, {last.status}.
            </span>
            <Link href={last.href} className="font-semibold text-accent hover:underline">
              Go back
            </Link>
          </>
        )}
      </span>
    </footer>
  );
}
