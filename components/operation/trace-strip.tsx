import clsx from 'clsx';
import type { ReactNode } from 'react';
import { evidenceMark } from '../../lib/client/status-words.ts';
import { dayTime, millisOf } from '../../lib/client/time.ts';
import { traceBands, type TraceBands } from '../../lib/client/trace-bands.ts';
import type { OperationDetail } from '../../lib/shapes/operation-record.ts';
import { MarkIcon } from '../ui/mark-icon.tsx';
import { TONE_TEXT } from '../ui/tone.ts';

const percent = (place: number) => `${(place * 100).toFixed(2)}%`;

/** A word beside a mark, on the side where there is room for it. */
function Beside({
  place,
  className,
  children,
}: {
  place: number | null;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={clsx('absolute inset-y-0 flex items-center text-2xs whitespace-nowrap', className)}
      style={
        place === null
          ? { left: 0 }
          : place < 0.62
            ? { left: `calc(${percent(place)} + 11px)` }
            : { right: `calc(${percent(1 - place)} + 11px)` }
      }
    >
      {children}
    </span>
  );
}

function Row({ label, bands, children }: { label: string; bands: TraceBands; children: ReactNode }) {
  return (
    <>
      <span className="flex h-6 items-center text-xs text-ink-2">{label}</span>
      <span className="relative block h-6">
        {bands.ticks.map((tick) => (
          <span
            key={tick.label}
            className="absolute inset-y-0 w-px bg-line"
            style={{ left: percent(tick.place) }}
          />
        ))}
        {children}
      </span>
    </>
  );
}

const Dot = ({ place, className }: { place: number; className: string }) => (
  <span
    className={clsx('absolute top-2 h-2 w-2 -translate-x-1/2 rounded-full', className)}
    style={{ left: percent(place) }}
  />
);

/**
 * The trace in short: who held the lease, what was sent, in which time the effect may have happened, what was looked
 * up, what was acknowledged. Time runs from left to right in every language. The events table is its twin.
 */
export function TraceStrip({ detail }: { detail: OperationDetail }) {
  const bands = traceBands(detail);
  const now = millisOf(detail.checked_at);
  const last = bands.lookups.at(-1);
  const isCrowded = bands.lookups.some(
    (one) => last !== undefined && one !== last && last.place - one.place < 0.3,
  );
  return (
    <figure
      dir="ltr"
      role="img"
      aria-label={summaryOf(bands)}
      className="grid grid-cols-[5.5rem_minmax(0,1fr)] rounded-l border border-line bg-surface ps-3.5 pe-5 pt-2.5 pb-2"
    >
      <span />
      <span className="relative block h-4 font-mono text-2xs text-ink-3">
        <span className="absolute">{dayTime(bands.startsAt, now)}</span>
        {bands.ticks
          .filter((tick) => tick.place > 0.3)
          .map((tick) => (
            <span
              key={tick.label}
              className={clsx(
                'absolute -translate-x-1/2 whitespace-nowrap',
                tick.place < 0.42 && 'hidden sm:block',
              )}
              style={{ left: percent(tick.place) }}
            >
              {tick.label}
            </span>
          ))}
      </span>
      <Row label="lease" bands={bands}>
        {bands.leases.length === 0 ? <Beside place={null}>no lease of ours recorded</Beside> : null}
        {bands.leases.map((lease) => (
          <span
            key={lease.from}
            className="absolute top-1.5 h-3 min-w-1 rounded-s border border-inflight bg-inflight-soft"
            style={{ left: percent(lease.from), width: percent(lease.to - lease.from) }}
          />
        ))}
      </Row>
      <Row label="sent" bands={bands}>
        {bands.uncertainty === null ? null : <Uncertainty interval={bands.uncertainty} />}
        {bands.sends.map((send) => (
          <Dot
            key={send.attempt}
            place={send.place}
            className={bands.uncertainty === null ? 'bg-inflight' : 'bg-unknown'}
          />
        ))}
        {bands.noSend === null || bands.uncertainty !== null ? null : (
          <Beside place={null} className="text-ink-2">
            <span className="bg-surface pe-1">{bands.noSend}</span>
          </Beside>
        )}
      </Row>
      <Row label="looked up" bands={bands}>
        {bands.lookups.map(({ place, item }) => {
          const mark = evidenceMark(item.answer);
          return (
            <span
              key={item.evidence_id}
              className="absolute top-[5px] -translate-x-1/2"
              style={{ left: percent(place) }}
            >
              <MarkIcon shape={mark.shape} tone={mark.tone} size={14} />
            </span>
          );
        })}
        {last === undefined ? (
          <Beside place={null} className="text-ink-2">
            <span className="bg-surface pe-1">no lookup recorded</span>
          </Beside>
        ) : (
          <Beside
            place={last.place}
            className={clsx(
              'font-medium',
              TONE_TEXT[evidenceMark(last.item.answer).tone],
              isCrowded && 'max-sm:hidden',
            )}
          >
            {evidenceMark(last.item.answer).word.toLowerCase()}
          </Beside>
        )}
      </Row>
      <Row label="acknowledged" bands={bands}>
        {bands.acknowledged === null ? (
          <Beside place={null} className="text-ink-2">
            <span className="bg-surface pe-1">
              {bands.noSend === 'never sent' ? 'nothing to acknowledge' : 'no acknowledgment recorded'}
            </span>
          </Beside>
        ) : (
          <>
            <Dot place={bands.acknowledged.place} className="bg-applied" />
            <Beside place={bands.acknowledged.place} className="text-ink-2">
              {bands.acknowledged.word}
            </Beside>
          </>
        )}
      </Row>
    </figure>
  );
}

function Uncertainty({ interval }: { interval: { from: number; to: number; isOpen: boolean } }) {
  const width = interval.to - interval.from;
  return (
    <span
      className={clsx(
        'absolute top-1 flex h-3 items-center justify-center rounded-s border border-unknown hatch',
        interval.isOpen && 'rounded-e-none border-e-0',
      )}
      style={{ left: percent(interval.from), width: percent(width) }}
    >
      {width > 0.3 ? (
        <span className="bg-unknown-soft px-1 text-2xs leading-[10px] font-semibold text-unknown">
          may have happened
        </span>
      ) : null}
    </span>
  );
}

/** The drawing in words, for whoever does not see it. */
function summaryOf({ noSend, sends, uncertainty, lookups, acknowledged }: TraceBands): string {
  const last = lookups.at(-1);
  const parts = [
    noSend === 'never sent' ? 'Never sent.' : null,
    noSend === 'not recorded' ? 'Whether it was sent is not recorded.' : null,
    noSend === null ? `Sent ${sends.length === 1 ? 'once' : `${sends.length} times`}.` : null,
    uncertainty === null ? null : 'It may have happened from then on.',
    last === undefined
      ? 'No lookup recorded.'
      : `Looked up ${lookups.length === 1 ? 'once' : `${lookups.length} times`}, at last: ${evidenceMark(last.item.answer).word.toLowerCase()}.`,
    acknowledged === null
      ? noSend === null
        ? 'No acknowledgment recorded.'
        : null
      : `${acknowledged.word}.`,
  ];
  return `Trace in short. ${parts.filter((part) => part !== null).join(' ')} The trace page lists every event.`;
}
