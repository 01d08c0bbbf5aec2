'use client';
import {
  createContext,
  createElement,
  useContext,
  useMemo,
  useSyncExternalStore,
  type ReactNode,
} from 'react';

/**
 * The database's clock as this page knows it: its time at the last answer plus what the browser's monotonic clock
 * counted since. A wrong browser clock shows no wrong age.
 */
export type ServerClock = {
  /** Milliseconds since 1970, moving once a second. */
  read: () => number;
  /** Called with the database's time of each answer. */
  set: (at: string) => void;
  subscribe: (listener: () => void) => () => void;
};

/** Starts at `at`; nothing ticks until somebody looks. */
export function serverClock(at: string, monotonic: () => number = () => performance.now()): ServerClock {
  let base = Date.parse(at);
  let since: number | undefined;
  let shown = base;
  let timer: ReturnType<typeof setInterval> | undefined;
  const listeners = new Set<() => void>();
  const tick = () => {
    shown = base + (since === undefined ? 0 : monotonic() - since);
    for (const listener of listeners) listener();
  };
  return {
    read: () => shown,
    set(next) {
      const known = Date.parse(next);
      if (since !== undefined && known <= base) return;
      base = known;
      since = monotonic();
      tick();
    },
    subscribe(listener) {
      listeners.add(listener);
      since ??= monotonic();
      timer ??= setInterval(tick, 1000);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

const Clock = createContext<ServerClock | null>(null);

/** Gives the pages below one clock, which starts at the time of the server's answer. */
export function ServerClockProvider({ at, children }: { at: string; children: ReactNode }) {
  // oxlint-disable-next-line react/exhaustive-deps -- the clock lives as long as the shell; later times arrive by `set`
  const clock = useMemo(() => serverClock(at), []);
  return createElement(Clock.Provider, { value: clock }, children);
}

export function useServerClock(): ServerClock {
  const clock = useContext(Clock);
  if (clock === null) throw new Error('ServerClockProvider is missing above');
  return clock;
}

/** The database's time, renewed each second; the first paint uses the server's own. */
export function useServerNow(): number {
  const clock = useServerClock();
  return useSyncExternalStore(clock.subscribe, clock.read, clock.read);
}
