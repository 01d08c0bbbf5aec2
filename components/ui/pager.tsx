import Link from 'next/link';

const LINK =
  'inline-flex h-7 items-center rounded-m border border-line-strong bg-surface px-2.5 font-medium hover:bg-sunken';

/** The pages of a list that is read by its last row: back to the beginning, and on. */
export function Pager({ shown, first, next }: { shown: number; first: string | null; next: string | null }) {
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3 pb-2 text-xs text-ink-2">
      <span>{next === null ? `${shown} shown, no more after these` : `${shown} shown`}</span>
      <span className="flex gap-2 text-sm text-ink">
        {first === null ? null : (
          <Link href={first} className={LINK}>
            To the beginning
          </Link>
        )}
        {next === null ? null : (
          <Link href={next} rel="next" className={LINK}>
            Next page
          </Link>
        )}
      </span>
    </nav>
  );
}
