'use client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ServerClockProvider } from '../../lib/client/server-clock.ts';

/** What every screen of the console stands on: its questions, and the database's clock. */
export function ConsoleProviders({ at, children }: { at: string; children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        // a question that failed is asked again by the next poll; the screen says meanwhile that nobody answers
        defaultOptions: { queries: { retry: false, staleTime: 2_000, gcTime: 60_000 } },
      }),
  );
  return (
    <QueryClientProvider client={client}>
      <ServerClockProvider at={at}>{children}</ServerClockProvider>
    </QueryClientProvider>
  );
}
