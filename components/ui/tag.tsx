import clsx from 'clsx';
import type { ReactNode } from 'react';
import type { Tone } from '../../lib/client/status-words.ts';
import { TONE_SOFT } from './tone.ts';

/** A short word on a soft ground. */
export function Tag({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1 rounded-full px-2 py-px text-xs font-semibold whitespace-nowrap',
        TONE_SOFT[tone],
      )}
    >
      {children}
    </span>
  );
}
