import clsx from 'clsx';

/** The name of a key. Decoration beside a control that says what it does, so it is not read out. */
export function Kbd({
  children,
  className,
  onAccent = false,
}: {
  children: string;
  className?: string;
  onAccent?: boolean;
}) {
  return (
    <kbd
      aria-hidden="true"
      className={clsx(
        'inline-flex h-[17px] min-w-[17px] items-center justify-center rounded-s border px-1 text-2xs leading-none',
        onAccent ? 'border-accent-ink/50 text-accent-ink' : 'border-line-strong/45 bg-surface text-ink-2',
        className,
      )}
    >
      {children}
    </kbd>
  );
}
