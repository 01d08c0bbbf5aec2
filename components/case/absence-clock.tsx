'use client';
import { useServerNow } from '../../lib/client/server-clock.ts';
import { duration, millisOf } from '../../lib/client/time.ts';
import type { OperationDetail } from '../../lib/shapes/operation-record.ts';
import { Instant } from '../ui/instant.tsx';

/**
 * From when on "absent" proves that nothing happened: quiet time and settle window of the last attempt. Only drawn
 * while that still matters. The database judges; this clock only says when it will.
 */
export function AbsenceClock({ detail }: { detail: OperationDetail }) {
  const now = useServerNow();
  const { absence_counts_from: from, record, facts, contract } = detail;
  const isOpen = record.status === 'unknown' || record.status === 'pending';
  if (!isOpen || from === null || record.sent_at === null || facts.doubt === 'none') return null;
  if (facts.evidence === 'found' || facts.evidence === 'absent_conclusive') return null;
  const start = millisOf(record.sent_at);
  const end = millisOf(from);
  const done = Math.min(1, Math.max(0, (now - start) / (end - start)));
  return (
    <div className="flex flex-col gap-1.5 px-3.5 py-3 text-xs text-ink-2">
      <p>
        {done < 1 ? (
          <>
            Absence counts from <Instant at={from} zone />, in {duration(end - now)}: the system of record may
            need {contract?.settle_seconds ?? 0} s to show an effect.
          </>
        ) : (
          <>
            Absence counts since <Instant at={from} zone />: a look-up that finds nothing now is conclusive.
          </>
        )}
      </p>
      <span
        aria-hidden="true"
        className="block h-[5px] overflow-hidden rounded-full border border-line bg-sunken"
      >
        <span className="block h-full hatch" style={{ width: `${(done * 100).toFixed(1)}%` }} />
      </span>
    </div>
  );
}
