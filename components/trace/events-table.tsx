import clsx from 'clsx';
import { traceRows, type TraceRow } from '../../lib/client/trace-rows.ts';
import { absoluteTime, clockTime } from '../../lib/client/time.ts';
import type { TraceEvent } from '../../lib/shapes/operation-record.ts';
import { VisibleText } from '../ui/visible-text.tsx';

const MARKS: Record<TraceRow['kind'], string> = {
  step: 'bg-line-strong',
  change: 'bg-inflight',
  delivery: 'border-2 border-replayed bg-surface',
  note: 'border border-line-strong bg-surface',
  gap: 'hatch rounded-none',
};

/** Every event with its own time. What is missing has a line too. */
export function EventsTable({ events, isCut }: { events: TraceEvent[]; isCut: boolean }) {
  return (
    <div
      role="group"
      aria-label="Events table"
      tabIndex={0}
      className="overflow-x-auto rounded-l border border-line bg-surface"
    >
      <table className="w-full min-w-[46rem] border-collapse text-start">
        <caption className="sr-only">Events, in the order of their times. Times in UTC.</caption>
        <thead className="bg-sunken text-xs text-ink-2">
          <tr>
            {['Event', 'At, UTC', 'After', 'By', 'Attempt', 'Becomes', 'What it says'].map((name) => (
              <th key={name} scope="col" className="px-3 py-1.5 text-start font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {isCut ? (
            <tr className="border-t border-line">
              <td colSpan={7} className="px-3 py-2 text-ink-2">
                Only the last {events.length} events are shown.
              </td>
            </tr>
          ) : null}
          {traceRows(events).map((row) => (
            <tr key={row.id} className="border-t border-line align-top">
              <th scope="row" className="px-3 py-1.5 text-start font-medium whitespace-nowrap">
                <span
                  aria-hidden="true"
                  className={clsx('me-2 inline-block h-2 w-2 rounded-full align-middle', MARKS[row.kind])}
                />
                <span
                  className={clsx(
                    row.kind === 'gap' && 'text-unknown',
                    row.kind === 'step' && 'font-normal text-ink-2',
                  )}
                >
                  {row.word}
                </span>
              </th>
              <td className="px-3 py-1.5 font-mono text-xs whitespace-nowrap">
                {row.at === null ? (
                  '–'
                ) : (
                  <time dateTime={row.at} title={absoluteTime(row.at)}>
                    {clockTime(row.at, true)}
                  </time>
                )}
              </td>
              <td className="px-3 py-1.5 text-end font-mono text-xs whitespace-nowrap text-ink-2">
                {row.offsetMs === null ? '–' : `+${(row.offsetMs / 1000).toFixed(3)}`}
              </td>
              <td className="px-3 py-1.5 whitespace-nowrap text-ink-2">
                {row.by === null ? '–' : <VisibleText text={row.by} limit={48} oneLine />}
              </td>
              <td className="px-3 py-1.5 text-ink-2">{row.attempt ?? '–'}</td>
              <td className="px-3 py-1.5 whitespace-nowrap">
                {row.to ?? ''}
                {row.version === null ? null : (
                  <span className="ms-1.5 text-xs text-ink-3">v{row.version}</span>
                )}
              </td>
              <td className="min-w-40 px-3 py-1.5 text-xs text-ink-2">
                <VisibleText text={row.notes.join(' · ')} limit={400} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
