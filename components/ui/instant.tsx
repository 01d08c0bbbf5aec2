'use client';
import { absoluteTime, dayTime, relative } from '../../lib/client/time.ts';
import { useServerNow } from '../../lib/client/server-clock.ts';

/** A time: on the clock in UTC, with the day where it is not today; the whole instant in its title. */
export function Instant({
  at,
  precise = false,
  zone = false,
}: {
  at: string;
  precise?: boolean;
  zone?: boolean;
}) {
  const now = useServerNow();
  return (
    <time dir="ltr" dateTime={at} title={absoluteTime(at)} className="whitespace-nowrap">
      {dayTime(at, now, precise)}
      {zone ? ' UTC' : ''}
    </time>
  );
}

/** How long ago, or until, with the whole instant in its title. */
export function Ago({ at }: { at: string }) {
  const now = useServerNow();
  return (
    <time dir="ltr" dateTime={at} title={absoluteTime(at)} className="whitespace-nowrap">
      {relative(at, now)}
    </time>
  );
}
