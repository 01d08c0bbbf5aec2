import type { ReactNode } from 'react';

/** The heading of a group of facts, with what can be done about the group at its end. */
export function Eyebrow({ id, title, children }: { id?: string; title: string; children?: ReactNode }) {
  return (
    <div className="flex min-h-6 items-center justify-between gap-3">
      <h2 id={id} className="eyebrow">
        {title}
      </h2>
      {children}
    </div>
  );
}
