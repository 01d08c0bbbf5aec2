import clsx from 'clsx';

/** The name of a key. Decoration beside a control that says what it does, so it is not read out. */
export function Kbd({ children, className }: { children: string; className?: string }) {
  return (
    <kbd
      aria-hidden="true"
      className={clsx(
        'inline-flex h-[17px] min-w-[17px] items-center justify-center rounded-s border border-line-strong/45 bg-surface px-1 text-2xs leading-none text-ink-2',
        className,
      )}
    >
      {children}
    </kbd>
  );
}
