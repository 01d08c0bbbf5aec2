'use client';
import { LastVerdictNotice } from '../case/last-verdict-notice.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { Placard } from '../ui/placard.tsx';

/** Beside the list, before a case is chosen. */
export function NoCaseOpen({ isEmpty }: { isEmpty: boolean }) {
  return (
    <div className="flex h-full flex-col px-6 py-5">
      <LastVerdictNotice current={null} />
      <div className="my-auto">
        {isEmpty ? null : (
          <Placard title="Choose a case" tone="doubt">
            <p>
              Each one is a tool call whose outcome nobody could prove, or that got stuck. The one that is due
              first is on top.
            </p>
            <p className="flex flex-wrap items-center gap-1.5 text-sm">
              <Kbd>j</Kbd> <Kbd>k</Kbd> move, <Kbd>↵</Kbd> open
            </p>
          </Placard>
        )}
      </div>
    </div>
  );
}
