'use client';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { PagedQuestion, Question } from './questions.ts';
import { useServerClock } from './server-clock.ts';

type Dated = { checked_at: string };

/**
 * The freshest answer to a question: what the server drew the page from, then what each poll brings. A page that is
 * opened again shows the server's answer and not an older one from before.
 */
export function useAnswer<T extends Dated>(question: Question<T>, initial: T) {
  const client = useQueryClient();
  const clock = useServerClock();
  const asked = useQuery({
    queryKey: question.key,
    queryFn: ({ signal }) => question.ask(signal),
    refetchInterval: ({ state }) => question.everyMs(state.data),
    initialData: initial,
  });
  const { key } = question;
  useEffect(() => {
    client.setQueryData<T>(key, (known) =>
      known !== undefined && Date.parse(known.checked_at) >= Date.parse(initial.checked_at) ? known : initial,
    );
    // oxlint-disable-next-line react/exhaustive-deps -- the key is a new array each time; the answer names its content
  }, [client, initial]);
  const answer: T = asked.data ?? initial;
  useEffect(() => clock.set(answer.checked_at), [clock, answer.checked_at]);
  return { answer, asked };
}

/** The same for a list that is read page by page; each poll asks for every page that is shown. */
export function usePages<T extends Dated & { next: string | null }>(question: PagedQuestion<T>, first: T) {
  const clock = useServerClock();
  const asked = useInfiniteQuery({
    queryKey: question.key,
    queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | null }) =>
      question.ask(signal, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    refetchInterval: question.everyMs,
    initialData: { pages: [first], pageParams: [null] },
  });
  const { pages } = asked.data;
  const checkedAt = pages[0]?.checked_at ?? first.checked_at;
  useEffect(() => clock.set(checkedAt), [clock, checkedAt]);
  return { pages, asked };
}
