'use client';
import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Kbd } from './kbd.tsx';

export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={400}>{children}</Radix.Provider>
);

/** What a control does and which key does it, on hover and on focus. */
export function Tooltip({
  text,
  keys = [],
  children,
}: {
  text: string;
  keys?: string[];
  children: ReactNode;
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-[32ch] items-center gap-2 rounded-m border border-line bg-raised px-2 py-1 text-xs text-ink shadow-lift"
        >
          {text}
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
