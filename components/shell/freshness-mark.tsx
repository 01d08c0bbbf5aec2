'use client';
import { useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { useEffect, useState } from 'react';
import { freshnessOf, type Freshness } from '../../lib/client/freshness.ts';
import { duration } from '../../lib/client/time.ts';
import { useServerNow } from '../../lib/client/server-clock.ts';
import { MarkIcon } from '../ui/mark-icon.tsx';

/** How old what the screen shows is, and whether anybody answers. Silence is announced, the ticking is not. */
export function FreshnessMark() {
  const client = useQueryClient();
  const [freshness, setFreshness] = useState<Freshness>({ answeredAt: 0, state: 'answering' });
  useServerNow();
  useEffect(() => {
    const look = () =>
      setFreshness((known) => {
        const next = freshnessOf(client);
        return next.answeredAt === known.answeredAt && next.state === known.state ? known : next;
      });
    look();
    return client.getQueryCache().subscribe(look);
  }, [client]);
  const { answeredAt, state } = freshness;
  const age = answeredAt === 0 ? '0 s' : duration(Date.now() - answeredAt);
  return (
    <span className="flex items-center gap-1.5 text-xs whitespace-nowrap">
      {state === 'answering' ? (
        <span aria-hidden="true" className="h-[7px] w-[7px] rounded-full bg-applied" />
      ) : (
        <MarkIcon shape="alert" tone="unknown" size={13} />
      )}
      <span className={clsx(state === 'answering' ? 'text-ink-2' : 'font-semibold text-unknown')}>
        {state === 'answering' ? <>checked {age} ago</> : null}
        {state === 'silent' ? <>not answering, shown as of {age} ago</> : null}
        {state === 'signed_out' ? 'signed out' : null}
      </span>
      <span role="status" className="sr-only">
        {state === 'silent' ? 'The server is not answering. What is shown may be old.' : ''}
        {state === 'signed_out' ? 'You are signed out. Sign in again to go on.' : ''}
      </span>
    </span>
  );
}
