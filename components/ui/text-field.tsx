'use client';
import clsx from 'clsx';
import { useId, type ReactNode, type Ref } from 'react';

type FieldProps<Element> = {
  label: string;
  hint: string;
  value: string;
  error: string | null;
  onChange: (value: string) => void;
  ref: Ref<Element>;
};

const LOOK =
  'w-full rounded-m border bg-surface px-2.5 py-2 text-sm aria-invalid:border-failed border-line-strong leading-[1.5]';

function Frame({
  id,
  label,
  hint,
  error,
  children,
}: {
  id: string;
  label: string;
  hint: string;
  error: string | null;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs font-semibold">
        {label}
      </label>
      {children}
      <p
        id={`${id}-hint`}
        className={clsx('text-xs', error === null ? 'text-ink-3' : 'font-medium text-failed')}
      >
        {error ?? hint}
      </p>
    </div>
  );
}

/** One line of text that is required. */
export function TextField({
  label,
  hint,
  value,
  error,
  onChange,
  ref,
  isCode = false,
}: FieldProps<HTMLInputElement> & { isCode?: boolean }) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input
        ref={ref}
        id={id}
        type="text"
        value={value}
        required
        maxLength={1_024}
        autoComplete="off"
        spellCheck={false}
        dir={isCode ? 'ltr' : 'auto'}
        aria-invalid={error !== null}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        className={clsx(LOOK, isCode && 'font-mono')}
      />
    </Frame>
  );
}

/** Several lines of text that are required. */
export function TextArea({ label, hint, value, error, onChange, ref }: FieldProps<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea
        ref={ref}
        id={id}
        value={value}
        rows={3}
        required
        maxLength={4_000}
        dir="auto"
        aria-invalid={error !== null}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        className={clsx(LOOK, 'resize-y')}
      />
    </Frame>
  );
}
