'use client';
import {
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type DefaultError,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { useServerClock } from './server-clock.ts';

type Dated = { checked_at: string };

/**
 * The freshest answer to a question: what the server drew the page from, then what each poll brings. A page that is
 * opened again shows the server's answer and not an older one from before.
 */
export function useAnswer<T extends Dated>(
  question: UseQueryOptions<T, DefaultError, T, QueryKey> & { queryKey: QueryKey },
  initial: T,
) {
  const client = useQueryClient();
  const clock = useServerClock();
  const asked = useQuery({ ...question, initialData: initial });
  const { queryKey } = question;
  useEffect(() => {
    client.setQueryData<T>(queryKey, (known) =>
      known !== undefined && Date.parse(known.checked_at) >= Date.parse(initial.checked_at) ? known : initial,
    );
    // oxlint-disable-next-line react/exhaustive-deps -- the key's content is named by the answer itself
  }, [client, initial]);
  const answer = asked.data ?? initial;
  useEffect(() => clock.set(answer.checked_at), [clock, answer.checked_at]);
  return { answer, asked };
}

/** The same for a list that is read page by page. */
export function usePages<T extends Dated>(
  question: UseInfiniteQueryOptions<T, DefaultError, InfiniteData<T, string | null>, QueryKey, string | null>,
  first: T,
) {
  const clock = useServerClock();
  const asked = useInfiniteQuery(question);
  const pages = asked.data?.pages ?? [first];
  const newest = pages.at(0)?.checked_at ?? first.checked_at;
  useEffect(() => clock.set(newest), [clock, newest]);
  return { pages, asked };
}
