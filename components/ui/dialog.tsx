'use client';
import { X } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';

/** The browser's own modal dialog, with a title and a way out; it keeps the focus and gives it back. */
export function Dialog({
  open,
  onClose,
  title,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      className="m-auto max-h-[85dvh] w-[min(30rem,calc(100vw-2rem))] overflow-auto rounded-l border border-line bg-raised p-5 text-ink shadow-lift backdrop:bg-ink/25 dark:backdrop:bg-sunken/70"
    >
      <div className="mb-3 flex items-center justify-between">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        <button
          type="button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
          className="inline-flex h-7 w-7 cursor-pointer items-center justify-center rounded-m text-ink-2 hover:bg-sunken"
        >
          <X size={15} aria-hidden="true" />
        </button>
      </div>
      {children}
    </dialog>
  );
}
