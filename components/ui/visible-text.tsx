import { Fragment } from 'react';
import { bounded, visibleRuns } from '../../lib/client/visible-text.ts';

/**
 * Text of unknown origin, isolated from what stands around it, bounded, with a named mark for every character that
 * could not be seen or would reorder its neighbours. The character itself stays in the text that is copied.
 */
export function VisibleText({
  text,
  limit = 2_000,
  oneLine = false,
}: {
  text: string;
  limit?: number;
  /** For text that its column cuts. */
  oneLine?: boolean;
}) {
  const shown = bounded(text, limit);
  return (
    <bdi className={oneLine ? 'whitespace-pre' : '[overflow-wrap:anywhere] break-words whitespace-pre-wrap'}>
      {visibleRuns(shown.text).map((run) =>
        run.kind === 'text' ? (
          <Fragment key={run.at}>{run.text}</Fragment>
        ) : (
          <bdi
            key={run.at}
            data-character={run.label}
            className="mx-px rounded-s bg-unknown-soft px-1 font-mono text-2xs text-unknown before:content-[attr(data-character)]"
          >
            <bdi className="inline-block w-0 overflow-hidden align-bottom">{run.text}</bdi>
          </bdi>
        ),
      )}
      {shown.leftOff > 0 ? <span className="text-ink-3"> … {shown.leftOff} more characters</span> : null}
    </bdi>
  );
}
