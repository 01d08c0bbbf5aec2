'use client';
import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { VERDICTS } from '../domain/states.ts';

const draftShape = z.object({
  verdict: z.nullable(z.enum(VERDICTS)),
  reason: z.string(),
  /** Null until the person changes what the evidence prefilled. */
  receipt: z.nullable(z.string()),
  /** The state of the case that the verdict was chosen on. */
  version: z.nullable(z.int()),
  evidenceId: z.nullable(z.string()),
  evidenceAskedAt: z.nullable(z.string()),
  /** The decision that was sent last and not confirmed: its id, and the content that the id stands for. */
  sent: z.nullable(z.object({ id: z.string(), content: z.string() })),
});
export type VerdictDraft = z.infer<typeof draftShape>;

const EMPTY: VerdictDraft = {
  verdict: null,
  reason: '',
  receipt: null,
  version: null,
  evidenceId: null,
  evidenceAskedAt: null,
  sent: null,
};

const placeOf = (address: string) => `verdict draft ${address}`;
const drafts = new Map<string, VerdictDraft>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** A browser that keeps nothing still decides: without its storage the draft lives as long as the page. */
function inStorage(act: (storage: Storage) => void): void {
  try {
    act(sessionStorage);
  } catch {
    // storage is switched off or full
  }
}

function read(address: string): VerdictDraft {
  const known = drafts.get(address);
  if (known) return known;
  let draft = EMPTY;
  inStorage((storage) => {
    const stored = draftShape.safeParse(JSON.parse(storage.getItem(placeOf(address)) ?? 'null'));
    if (stored.success) draft = stored.data;
  });
  drafts.set(address, draft);
  return draft;
}

function write(address: string, draft: VerdictDraft): void {
  drafts.set(address, draft);
  inStorage((storage) =>
    draft === EMPTY
      ? storage.removeItem(placeOf(address))
      : storage.setItem(placeOf(address), JSON.stringify(draft)),
  );
  for (const listener of listeners) listener();
}

export type KeptDraft = {
  draft: VerdictDraft;
  change: (part: Partial<VerdictDraft>) => void;
  clear: () => void;
};

/**
 * What a person has begun to write about one case. It is kept by this browser tab over a reload, a conflict and a
 * new sign-in, until the verdict is recorded.
 */
export function useVerdictDraft(address: string): KeptDraft {
  const draft = useSyncExternalStore(
    subscribe,
    () => read(address),
    () => EMPTY,
  );
  return {
    draft,
    change: (part: Partial<VerdictDraft>) => write(address, { ...read(address), ...part }),
    clear: () => write(address, EMPTY),
  };
}
