import type { ReactNode } from 'react';
import { MarkIcon } from '../../components/ui/mark-icon.tsx';

/** What the product does, drawn as its own trace: one effect, an answer that got lost, a delivery that changed nothing. */
export function TwoDeliveries() {
  return (
    <div className="hidden flex-col justify-center border-s border-line bg-surface px-16 lg:flex">
      <figure className="mx-auto w-full max-w-[560px]">
        <p className="text-xl leading-[1.4] font-medium tracking-tight text-balance">
          The same tool call, delivered twice, has one effect.
          <span className="text-ink-3">
            {' '}
            What cannot be known becomes somebody’s work, not somebody’s guess.
          </span>
        </p>
        <div
          aria-hidden="true"
          className="mt-9 rounded-l border border-line bg-raised px-5 pt-4 pb-5 shadow-lift"
        >
          <div className="mb-3 flex items-baseline justify-between gap-4">
            <span className="text-md font-semibold">tickets.create</span>
            <span className="truncate font-mono text-xs text-ink-2">
              acme:production:run_827:record_issue
            </span>
          </div>
          <Row label="lease">
            <span className="h-2.5 w-[30%] rounded-s border border-inflight bg-inflight-soft" />
          </Row>
          <Row label="sent">
            <span className="grid h-4 w-[58%] place-items-center rounded-s border border-unknown hatch">
              <span className="rounded-s bg-unknown-soft px-1.5 text-2xs font-semibold text-unknown">
                may have happened
              </span>
            </span>
          </Row>
          <Row label="looked up">
            <span className="ms-[56.5%] flex items-center gap-1.5 text-xs">
              <MarkIcon shape="check" tone="applied" size={14} /> found
            </span>
          </Row>
          <Row label="again">
            <span className="ms-[56.5%] flex items-center gap-1.5 text-xs whitespace-nowrap">
              <MarkIcon shape="ring" tone="replayed" size={14} />
              <span className="font-semibold text-replayed">replayed</span>
              <span className="font-mono text-ink-2">ticket_1042</span>
            </span>
          </Row>
        </div>
        <figcaption className="sr-only">
          A ticket is created, the answer is lost, a lookup finds the ticket, and the second delivery of the
          call gets the stored result.
        </figcaption>
      </figure>
    </div>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid h-8 grid-cols-[76px_minmax(0,1fr)] items-center border-t border-line first-of-type:border-t-0">
      <span className="text-xs text-ink-2">{label}</span>
      <span className="flex items-center">{children}</span>
    </div>
  );
}
