import clsx from 'clsx';
import type { ReactNode } from 'react';

/** Names and values, one pair a line; long names stand above their values where there is little room. */
export function FieldList({
  hasLongNames = false,
  children,
}: {
  hasLongNames?: boolean;
  children: ReactNode;
}) {
  return (
    <dl
      className={clsx(
        'grid grid-cols-[minmax(5.5rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5',
        hasLongNames && 'max-sm:grid-cols-1 max-sm:gap-y-0 max-sm:[&_dd]:mb-2',
      )}
    >
      {children}
    </dl>
  );
}

export function Field({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-ink-2">
        <bdi>{name}</bdi>
      </dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
