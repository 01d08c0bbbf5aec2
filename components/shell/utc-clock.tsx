'use client';
import { clockTime } from '../../lib/client/time.ts';
import { useServerNow } from '../../lib/client/server-clock.ts';

/** The time by the database's clock; every time on the screens is of this zone. */
export function UtcClock() {
  const now = useServerNow();
  return (
    <span className="text-xs whitespace-nowrap text-ink-2">
      <span className="sr-only">Database time </span>
      {clockTime(new Date(now).toISOString())} UTC
    </span>
  );
}
