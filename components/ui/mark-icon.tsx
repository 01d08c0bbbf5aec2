import clsx from 'clsx';
import type { ReactNode } from 'react';
import type { Shape, Tone } from '../../lib/client/status-words.ts';
import { TONE_FILL, TONE_TEXT } from './tone.ts';

const SHAPES: Record<Shape, (ground: string) => ReactNode> = {
  check: (ground) => (
    <>
      <circle cx="8" cy="8" r="6.6" className={ground} />
      <path d="m5.1 8.3 2 2 3.9-4.5" fill="none" strokeWidth="1.7" />
    </>
  ),
  question: (ground) => (
    <>
      <path d="M8 1 15 8 8 15 1 8Z" className={ground} />
      <path d="M6.4 6.6a1.65 1.65 0 1 1 2.5 1.4c-.6.4-.9.7-.9 1.3" fill="none" strokeWidth="1.3" />
      <circle cx="8" cy="11.1" r=".85" fill="currentColor" stroke="none" />
    </>
  ),
  quarter: (ground) => (
    <>
      <circle cx="8" cy="8" r="6.6" className={ground} />
      <path d="M8 8V1.4A6.6 6.6 0 0 1 14.6 8Z" fill="currentColor" stroke="none" />
    </>
  ),
  cross: (ground) => (
    <>
      <rect x="1.7" y="1.7" width="12.6" height="12.6" rx="2.6" className={ground} />
      <path d="m5.4 5.4 5.2 5.2m0-5.2-5.2 5.2" fill="none" strokeWidth="1.6" />
    </>
  ),
  fork: (ground) => (
    <>
      <path d="M4.3 6.2v3.6M4.3 8c4.4 0 7.2-.2 7.2-3.2" fill="none" strokeWidth="1.5" />
      <circle cx="4.3" cy="3.9" r="2.3" className={ground} />
      <circle cx="4.3" cy="12.1" r="2.3" className={ground} />
      <circle cx="11.6" cy="3.9" r="2.3" className={ground} />
    </>
  ),
  ring: (ground) => <circle cx="8" cy="8" r="4.4" className={ground} strokeWidth="2" />,
  alert: (ground) => (
    <>
      <path d="M8 1.6 15 14H1Z" className={ground} />
      <path d="M8 6v3.4" fill="none" strokeWidth="1.5" />
      <circle cx="8" cy="11.6" r=".85" fill="currentColor" stroke="none" />
    </>
  ),
  minus: (ground) => (
    <>
      <circle cx="8" cy="8" r="6.6" className={ground} />
      <path d="M5 8h6" fill="none" strokeWidth="1.6" />
    </>
  ),
};

/** A state as a shape in its tone. The word that names it stands beside it, so the drawing itself is silent. */
export function MarkIcon({
  shape,
  tone,
  size = 16,
  className,
}: {
  shape: Shape;
  tone: Tone;
  size?: number;
  className?: string;
}) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      width={size}
      height={size}
      className={clsx('shrink-0', TONE_TEXT[tone], className)}
      stroke="currentColor"
      strokeWidth="1.2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {SHAPES[shape](TONE_FILL[tone])}
    </svg>
  );
}
