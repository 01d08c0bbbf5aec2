'use client';
import { useEffect, useState } from 'react';
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
});
export type VerdictDraft = z.infer<typeof draftShape>;

const EMPTY: VerdictDraft = {
  verdict: null,
  reason: '',
  receipt: null,
  version: null,
  evidenceId: null,
  evidenceAskedAt: null,
};

const placeOf = (address: string) => `verdict draft ${address}`;

function stored(address: string): VerdictDraft {
  try {
    const read = draftShape.safeParse(JSON.parse(sessionStorage.getItem(placeOf(address)) ?? 'null'));
    return read.success ? read.data : EMPTY;
  } catch {
    return EMPTY;
  }
}

/**
 * What a person has begun to write about one case. It is kept by this browser tab over a reload, a conflict and a
 * new sign-in, until the verdict is recorded.
 */
export function useVerdictDraft(address: string) {
  const [draft, setDraft] = useState(EMPTY);
  useEffect(() => setDraft(stored(address)), [address]);
  const change = (part: Partial<VerdictDraft>) =>
    setDraft((known) => {
      const next = { ...known, ...part };
      try {
        sessionStorage.setItem(placeOf(address), JSON.stringify(next));
      } catch {
        // a browser that keeps nothing still decides
      }
      return next;
    });
  const clear = () => {
    try {
      sessionStorage.removeItem(placeOf(address));
    } catch {
      // nothing was kept
    }
    setDraft(EMPTY);
  };
  return { draft, change, clear };
}
