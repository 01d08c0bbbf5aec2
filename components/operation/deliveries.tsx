import { deliveriesOf } from '../../lib/client/deliveries.ts';
import type { TraceEvent } from '../../lib/shapes/operation-record.ts';
import { Instant } from '../ui/instant.tsx';
import { MarkIcon } from '../ui/mark-icon.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

/** Each time the same call arrived, and what it was answered. */
export function Deliveries({ events, last }: { events: TraceEvent[]; last?: number }) {
  const all = deliveriesOf(events);
  const shown = last === undefined ? all : all.slice(-last);
  if (all.length === 0) return <p className="text-ink-2">No delivery recorded.</p>;
  return (
    <ol className="flex flex-col gap-1.5">
      {shown.map(({ event, answer, reason, tone, shape, isFirst }) => (
        <li key={event.event_id} className="flex items-start gap-2.5">
          <span className="text-ink-2">
            <Instant at={event.at} />
          </span>
          <MarkIcon shape={shape} tone={tone} size={13} className="mt-[2.5px]" />
          <span className="min-w-0">
            {isFirst ? null : 'again → '}
            <span className={isFirst ? undefined : 'font-semibold'}>{answer}</span>
            {reason === null ? null : <span className="text-ink-2">: {reason}</span>}
            {event.worker === null ? null : (
              <span className="text-ink-3">
                , <VisibleText text={event.worker} limit={60} />
              </span>
            )}
          </span>
        </li>
      ))}
      {shown.length < all.length ? (
        <li className="text-ink-3">{all.length - shown.length} earlier ones on the trace page</li>
      ) : null}
    </ol>
  );
}
