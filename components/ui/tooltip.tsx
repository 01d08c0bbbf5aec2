import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Kbd } from './kbd.tsx';

/**
 * What a control does and which keys do it, on hover and on focus. Only for the eye: the control's own name says it to
 * everybody else.
 */
export function Tooltip({
  text,
  keys = [],
  side = 'above',
  children,
}: {
  text: string;
  keys?: string[];
  side?: 'above' | 'beside';
  children: ReactNode;
}) {
  return (
    <span className={clsx('group/tip relative', side === 'beside' ? 'block' : 'inline-flex')}>
      {children}
      <span
        aria-hidden="true"
        className={clsx(
          'pointer-events-none invisible absolute z-30 flex w-max max-w-60 items-center gap-1.5 rounded-m border border-line bg-raised px-2 py-1 text-xs font-normal text-ink opacity-0 shadow-lift transition-[opacity,visibility] duration-100 max-lg:hidden',
          'group-hover/tip:visible group-hover/tip:opacity-100 group-hover/tip:delay-500 group-has-focus-visible/tip:visible group-has-focus-visible/tip:opacity-100',
          side === 'beside' ? 'start-full top-1/2 ms-2 -translate-y-1/2' : 'start-0 bottom-full mb-1.5',
        )}
      >
        {text}
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </span>
    </span>
  );
}
