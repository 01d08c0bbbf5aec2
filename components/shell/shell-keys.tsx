'use client';
import { useRouter, useSelectedLayoutSegments } from 'next/navigation';
import { useState } from 'react';
import { pages } from '../../lib/client/addresses.ts';
import { keysOf } from '../../lib/client/key-table.ts';
import { useKey } from '../../lib/client/use-key.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';

/** The keys that work everywhere, and the dialog that names all keys of the screen. */
export function ShellKeys({ scope }: { scope: Scope }) {
  const router = useRouter();
  const segments = useSelectedLayoutSegments();
  const [open, setOpen] = useState(false);
  useKey('g>q', () => router.push(pages.queue(scope)));
  useKey('g>o', () => router.push(pages.operations(scope)));
  useKey('g>a', () => router.push(pages.audit(scope)));
  useKey(['?', 'shift+?'], () => setOpen(true));
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-label="Show all keys"
        className="hidden h-7 min-w-7 cursor-pointer items-center justify-center rounded-m hover:bg-sunken lg:inline-flex"
      >
        <Kbd>?</Kbd>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Keys on this screen">
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
          {keysOf(segments).map((entry) => (
            <div key={entry.does} className="contents">
              <dt className="flex gap-1">
                {entry.keys.map((one) => (
                  <Kbd key={one}>{one}</Kbd>
                ))}
                <span className="sr-only">{entry.keys.join(' ')}</span>
              </dt>
              <dd>{entry.does}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-4 border-t border-line pt-3 text-xs text-ink-3">
          Keys never work while you type. On Windows and Linux, ⌘ is Ctrl.
        </p>
      </Dialog>
    </>
  );
}
