import type { ReactNode } from 'react';

/** Names and values, one pair a line. */
export function FieldList({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[minmax(5.5rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5">{children}</dl>;
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
