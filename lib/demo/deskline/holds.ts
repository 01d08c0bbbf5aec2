import { once } from 'node:events';

/** Where a request can be made to stand still: it was taken and nothing happened; it happened and nothing is answered. */
export type HeldAt = 'before_commit' | 'after_commit';

export interface HeldRequest {
  key: string | null;
  at: HeldAt;
}

/** The requests that stand still. They are of this process alone: when it ends, so do they, without a commit. */
export interface Holds {
  /** Resolves when the control releases the key; rejects when the service stops. */
  stand(request: HeldRequest): Promise<void>;
  held(): HeldRequest[];
  /** Lets every request of this key go on that stands at this point; answers how many. */
  release(key: string, at: HeldAt): number;
}

export function openHolds(stopping: AbortSignal): Holds {
  const standing = new Map<AbortController, HeldRequest>();
  return {
    stand: async (request) => {
      const released = new AbortController();
      standing.set(released, request);
      try {
        await once(released.signal, 'abort', { signal: stopping });
      } finally {
        standing.delete(released);
      }
    },
    held: () => [...standing.values()],
    release: (key, at) => {
      const going = [...standing].filter(([, request]) => request.key === key && request.at === at);
      for (const [released] of going) released.abort();
      return going.length;
    },
  };
}
