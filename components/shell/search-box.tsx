'use client';
import Form from 'next/form';
import { useRef } from 'react';
import { pages } from '../../lib/client/addresses.ts';
import { useKey } from '../../lib/client/use-key.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { Kbd } from '../ui/kbd.tsx';

/** Finds operations by what a person has at hand; the answer is the operations list. */
export function SearchBox({ scope }: { scope: Scope }) {
  const field = useRef<HTMLInputElement>(null);
  useKey(['/', 'shift+/'], () => field.current?.focus());
  return (
    <Form
      action={pages.operations(scope)}
      role="search"
      className="relative hidden w-full max-w-[27rem] sm:block"
    >
      <input
        ref={field}
        type="search"
        name="q"
        required
        maxLength={1024}
        autoComplete="off"
        spellCheck={false}
        aria-label="Find a key, receipt, fingerprint or trace"
        placeholder="Find a key, receipt, fingerprint or trace"
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
        className="h-7 w-full rounded-m border border-line-strong/60 bg-sunken ps-2.5 pe-8 text-sm [&::-webkit-search-cancel-button]:hidden"
      />
      <Kbd className="pointer-events-none absolute end-1.5 top-[5.5px]">/</Kbd>
    </Form>
  );
}
