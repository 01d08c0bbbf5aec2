'use client';
import clsx from 'clsx';
import { Check, ChevronDown } from 'lucide-react';
import Link from 'next/link';
import { useSelectedLayoutSegment } from 'next/navigation';
import { useId, useRef, type ToggleEvent } from 'react';
import type { Scope } from '../../lib/shapes/scope.ts';

export type GrantedScope = Scope & { roles: string[] };

/** Goes to another tenant or environment that the caller has a grant for, staying in the same room. */
export function ScopeSwitcher({ scope, granted }: { scope: Scope; granted: GrantedScope[] }) {
  const room = useSelectedLayoutSegment() ?? 'queue';
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const isHere = (one: Scope) => one.tenant === scope.tenant && one.environment === scope.environment;
  /* A popover lies above the page and knows nothing of its button: put it under it. */
  const place = (event: ToggleEvent<HTMLDivElement>) => {
    const under = button.current?.getBoundingClientRect();
    if (event.newState !== 'open' || under === undefined) return;
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const start = isRtl ? document.documentElement.clientWidth - under.right : under.left;
    event.currentTarget.style.insetBlockStart = `${under.bottom + 6}px`;
    event.currentTarget.style.insetInlineStart = `${start}px`;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className="flex h-7 shrink-0 cursor-pointer items-center gap-1.5 rounded-m border border-line-strong/60 bg-surface px-2.5 text-sm hover:bg-sunken"
      >
        <span className="sr-only">Scope:</span>
        <bdi className="max-w-24 truncate font-semibold">{scope.tenant}</bdi>
        <bdi className="max-w-28 truncate rounded-s border border-line-strong px-1 text-xs leading-4 font-medium">
          {scope.environment}
        </bdi>
        <span className="sr-only">Change</span>
        <ChevronDown size={13} aria-hidden="true" />
      </button>
      <div
        id={id}
        popover="auto"
        onBeforeToggle={place}
        className="inset-auto m-0 max-h-[60dvh] min-w-64 overflow-auto rounded-l border border-line bg-raised p-1 text-ink shadow-lift"
      >
        <ul>
          {granted.map((one) => (
            <li key={`${one.tenant} ${one.environment}`}>
              <Link
                href={`/${encodeURIComponent(one.tenant)}/${encodeURIComponent(one.environment)}/${room}`}
                aria-current={isHere(one) ? 'true' : undefined}
                onClick={() => document.getElementById(id)?.hidePopover()}
                className="flex min-h-8 items-center gap-2 rounded-m px-2 text-sm -outline-offset-2 hover:bg-accent-soft"
              >
                <Check size={13} aria-hidden="true" className={clsx(!isHere(one) && 'invisible')} />
                <bdi className="font-semibold">{one.tenant}</bdi>
                <bdi className="text-ink-2">{one.environment}</bdi>
                <span className="ms-auto ps-4 text-xs text-ink-3">{one.roles.join(', ')}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
