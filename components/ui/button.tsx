import clsx from 'clsx';
import type { ComponentProps } from 'react';

const LOOKS = {
  primary: 'h-[38px] rounded-m bg-accent px-4 font-semibold text-accent-ink hover:opacity-90',
  plain: 'h-7 rounded-m border border-line-strong bg-surface px-2.5 font-medium text-ink hover:bg-sunken',
  quiet: 'h-7 rounded-m px-2 font-medium text-ink-2 hover:bg-sunken hover:text-ink',
  link: 'min-h-6 rounded-s font-semibold text-accent hover:underline',
} as const;

type ButtonProps = Omit<ComponentProps<'button'>, 'type'> & { look?: keyof typeof LOOKS; submits?: boolean };

/** One button, four looks. A button that cannot be used now stays focusable: pass `aria-disabled`, not `disabled`. */
export function Button({ look = 'plain', submits = false, className, ...rest }: ButtonProps) {
  return (
    <button
      type={submits ? 'submit' : 'button'}
      className={clsx(
        'inline-flex cursor-pointer items-center justify-center gap-1.5 text-sm whitespace-nowrap',
        'aria-disabled:cursor-not-allowed aria-disabled:border aria-disabled:border-dashed aria-disabled:border-line-strong aria-disabled:bg-transparent aria-disabled:text-ink-3 aria-disabled:no-underline aria-disabled:hover:opacity-100',
        LOOKS[look],
        className,
      )}
      {...rest}
    />
  );
}
