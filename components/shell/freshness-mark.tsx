'use client';
import { useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { useEffect, useState } from 'react';
import { freshnessOf, type Freshness } from '../../lib/client/freshness.ts';
import { useServerNow } from '../../lib/client/server-clock.ts';
import { absoluteTime, duration, millisOf } from '../../lib/client/time.ts';
import { MarkIcon } from '../ui/mark-icon.tsx';

const SPOKEN: Record<Freshness['state'], string> = {
  answering: '',
  silent: 'The server is not answering. What is shown may be old.',
  signed_out: 'You are signed out. Sign in again to go on.',
};

/** How old what the screen shows is, and whether anybody answers. Silence is announced, the ticking is not. */
export function FreshnessMark() {
  const client = useQueryClient();
  const now = useServerNow();
  const [{ checkedAt, state }, setFreshness] = useState<Freshness>({ checkedAt: null, state: 'answering' });
  useEffect(() => {
    const look = () =>
      setFreshness((known) => {
        const fresh = freshnessOf(client);
        return fresh.checkedAt === known.checkedAt && fresh.state === known.state ? known : fresh;
      });
    return client.getQueryCache().subscribe(look);
  }, [client]);
  const age = checkedAt === null ? '0 s' : duration(now - millisOf(checkedAt));
  const isAnswering = state === 'answering';
  return (
    <span
      className="flex items-center gap-1.5 text-xs whitespace-nowrap"
      title={checkedAt === null ? undefined : `as of ${absoluteTime(checkedAt)}`}
    >
      {isAnswering ? (
        <span aria-hidden="true" className="h-[7px] w-[7px] rounded-full bg-applied" />
      ) : (
        <MarkIcon shape="alert" tone="unknown" size={13} />
      )}
      <span className={clsx(isAnswering ? 'text-ink-2' : 'font-semibold text-unknown')}>
        {isAnswering ? `checked ${age} ago` : null}
        {state === 'silent' ? `not answering, as of ${age} ago` : null}
        {state === 'signed_out' ? 'signed out' : null}
      </span>
      <span role="status" className="sr-only">
        {SPOKEN[state]}
      </span>
    </span>
  );
}
