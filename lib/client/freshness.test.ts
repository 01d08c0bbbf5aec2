import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, test } from 'vitest';
import { Refused } from './ask.ts';
import { freshnessOf } from './freshness.ts';
import { at } from './testing/operation-detail.ts';

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
afterEach(() => client.clear());

/** Asks as a screen does that is looked at. */
const watch = (key: string, queryFn: () => Promise<unknown>, initialData?: unknown) => {
  const observer = new QueryObserver(client, { queryKey: [key], queryFn, initialData, staleTime: 1e9 });
  const stop = observer.subscribe(() => {});
  return { refetch: () => observer.refetch(), stop };
};

describe('how the screen stands to the server', () => {
  test("the newest answer counts, by the database's time", () => {
    const stops = [
      watch('figures', async () => ({}), { checked_at: at('14:06:11') }),
      watch('cases', async () => ({}), { pages: [{ checked_at: at('14:06:16') }], pageParams: [null] }),
    ];
    expect(freshnessOf(client)).toEqual({ checkedAt: at('14:06:16'), state: 'answering' });
    for (const { stop } of stops) stop();
  });

  test('one question without an answer is silence, and keeps the time of the last answer', async () => {
    const { refetch, stop } = watch('figures', () => Promise.reject(new TypeError('failed to fetch')), {
      checked_at: at('14:06:11'),
    });
    await refetch();
    expect(freshnessOf(client)).toEqual({ checkedAt: at('14:06:11'), state: 'silent' });
    stop();
  });

  test('a session that ended is not silence', async () => {
    const { refetch, stop } = watch('figures', () => Promise.reject(new Refused(401, {})), {
      checked_at: at('14:06:11'),
    });
    await refetch();
    expect(freshnessOf(client).state).toBe('signed_out');
    stop();
  });
});
