import type { ReactNode } from 'react';
import type { CaseFigures } from '../../lib/shapes/case-row.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { Wordmark } from '../ui/wordmark.tsx';
import { ConsoleProviders } from './console-providers.tsx';
import { FreshnessMark } from './freshness-mark.tsx';
import { KeyBar } from './key-bar.tsx';
import { Nav } from './nav.tsx';
import { ScopeSwitcher, type GrantedScope } from './scope-switcher.tsx';
import { SearchBox } from './search-box.tsx';
import { ShellKeys } from './shell-keys.tsx';
import { SignOut } from './sign-out.tsx';
import { ThemeToggle } from './theme-toggle.tsx';
import { UtcClock } from './utc-clock.tsx';

type ShellProps = {
  scope: Scope;
  granted: GrantedScope[];
  person: { name: string; roles: string[] };
  figures: CaseFigures;
  children: ReactNode;
};

/** The frame of every screen: rooms at the side, scope and search on top, keys at the bottom. */
export function Shell({ scope, granted, person, figures, children }: ShellProps) {
  const who = (
    <>
      <div className="min-w-0 flex-1 lg:flex-none">
        <p className="truncate font-semibold">
          <bdi>{person.name}</bdi>
        </p>
        <p className="truncate text-xs text-ink-2">
          {person.roles.join(', ')} · <bdi>{scope.tenant}</bdi>
        </p>
      </div>
      <div className="-mx-1.5 flex items-center gap-0.5">
        <ThemeToggle />
        <SignOut />
      </div>
    </>
  );
  return (
    <ConsoleProviders at={figures.checked_at}>
      <a
        href="#main"
        className="sr-only z-50 rounded-m bg-accent px-3 py-2 font-semibold text-accent-ink focus:not-sr-only focus:absolute focus:start-2 focus:top-2"
      >
        Go to the content
      </a>
      <div className="flex min-h-dvh flex-col lg:grid lg:h-dvh lg:grid-cols-[11rem_minmax(0,1fr)] lg:grid-rows-[45px_minmax(0,1fr)_auto]">
        <aside
          aria-label="Rooms"
          className="flex flex-wrap items-center border-b border-line bg-sunken lg:row-span-3 lg:flex-col lg:flex-nowrap lg:items-stretch lg:border-e lg:border-b-0"
        >
          <div className="px-3 py-2 lg:flex lg:h-[45px] lg:shrink-0 lg:items-center lg:px-4 lg:py-0">
            <Wordmark />
          </div>
          <Nav scope={scope} figures={figures} />
          <div className="mt-auto hidden flex-col gap-1.5 px-4 py-3 lg:flex">{who}</div>
        </aside>
        <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-3 py-2 lg:flex-nowrap lg:px-4 lg:py-0">
          <ScopeSwitcher scope={scope} granted={granted} />
          <SearchBox scope={scope} />
          <div className="ms-auto flex items-center gap-4">
            <FreshnessMark />
            <span className="hidden md:inline">
              <UtcClock />
            </span>
            <ShellKeys scope={scope} />
          </div>
        </header>
        <main id="main" tabIndex={-1} className="min-h-0 flex-1 outline-none">
          {children}
        </main>
        <KeyBar />
        <section
          aria-label="Signed in as"
          className="flex items-center gap-1 border-t border-line bg-sunken px-3 py-2 lg:hidden"
        >
          {who}
        </section>
      </div>
    </ConsoleProviders>
  );
}
