'use client';
import { useSyncExternalStore } from 'react';

/** The case that this person decided last: said on the next one, with the way back. */
export type LastVerdict = {
  key: string;
  tool: string;
  /** What names the case to people. */
  target: string | null;
  status: string;
  href: string;
  auditSequence: number | null;
};

let last: LastVerdict | null = null;
let wantsFocus = false;
const listeners = new Set<() => void>();

/** After a verdict the next heading takes the focus, once. */
export function setLastVerdict(verdict: LastVerdict): void {
  last = verdict;
  wantsFocus = true;
  for (const listener of listeners) listener();
}

export function takeFocusRequest(): boolean {
  const wanted = wantsFocus;
  wantsFocus = false;
  return wanted;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLastVerdict = () =>
  useSyncExternalStore(
    subscribe,
    () => last,
    () => null,
  );
