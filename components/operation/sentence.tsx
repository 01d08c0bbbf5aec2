import { Fragment } from 'react';
import type { SentencePart } from '../../lib/client/what-happened.ts';
import { VisibleText } from '../ui/visible-text.tsx';

/** What happened, in a few words. */
export function Sentence({ parts }: { parts: SentencePart[] }) {
  return (
    <p className="max-w-[68ch] text-[14.5px] leading-[1.62] text-pretty">
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a part has no identity but its place
        <Fragment key={index}>
          {part.strong ? (
            <strong className="font-semibold">
              <VisibleText text={part.text} limit={200} />
            </strong>
          ) : (
            <VisibleText text={part.text} limit={400} />
          )}
        </Fragment>
      ))}
    </p>
  );
}
