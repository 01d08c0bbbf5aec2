import clsx from 'clsx';
import { visibleRuns } from '../../lib/client/visible-text.ts';
import { VisibleText } from './visible-text.tsx';

/** An identifier: monospaced, left to right in any page, whole unless it is cut by its column. */
export function KeyText({
  text,
  className,
  cut = false,
}: {
  text: string;
  className?: string;
  cut?: boolean;
}) {
  const isPlain = visibleRuns(text).every((run) => run.kind === 'text');
  return (
    <bdi
      dir="ltr"
      title={cut ? text : undefined}
      className={clsx('font-mono', cut ? 'truncate' : '[overflow-wrap:anywhere] break-words', className)}
    >
      {isPlain ? text : <VisibleText text={text} limit={1_100} />}
    </bdi>
  );
}
