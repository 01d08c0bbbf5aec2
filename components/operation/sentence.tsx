import { Fragment } from 'react';
import type { PlacedPart } from '../../lib/client/what-happened.ts';
import { VisibleText } from '../ui/visible-text.tsx';

/** What happened, in a few words. */
export function Sentence({ parts }: { parts: PlacedPart[] }) {
  return (
    <p dir="ltr" className="max-w-[68ch] text-[14.5px] leading-[1.62] text-pretty rtl:text-right">
      {parts.map((part) => {
        const text = <VisibleText text={part.text} limit={400} />;
        return part.strong ? (
          <strong key={part.at} className="font-semibold">
            {text}
          </strong>
        ) : (
          <Fragment key={part.at}>{text}</Fragment>
        );
      })}
    </p>
  );
}
