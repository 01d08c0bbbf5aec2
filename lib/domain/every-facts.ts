import { EVIDENCE_FACTS, NO_OPERATION, unreachable, type Capabilities, type Facts } from './facts.ts';
import { PENDING_REASONS, STATUSES } from './states.ts';

const BOTH = [false, true] as const;
const LEASES = ['none', 'live', 'expired'] as const;
const DOUBTS = ['none', 'own', 'earlier'] as const;

/** Every combination of what a contract can do. */
export const EVERY_CAPABILITY: readonly Capabilities[] = (
  ['none', 'advisory', 'authoritative'] as const
).flatMap((lookup) =>
  (['never', 'keyed', 'absolute'] as const).flatMap((resend) =>
    BOTH.map((delicate) => ({ lookup, resend, delicate })),
  ),
);

/** Every reachable shape of a row: status, pending reason, lease, sent, doubt, adopted. */
export function everyShape(): Facts[] {
  const shapes: Facts[] = [];
  for (const status of ['none', ...STATUSES, 'unrecognised'] as const)
    for (const pendingReason of ['none', ...PENDING_REASONS] as const)
      for (const lease of LEASES)
        for (const sent of BOTH)
          for (const doubt of DOUBTS)
            for (const adopted of BOTH)
              shapes.push({ ...NO_OPERATION, status, pendingReason, lease, sent, doubt, adopted });
  return shapes.filter((shape) => unreachable(shape) === null);
}

/**
 * The enumeration of the totality test: every reachable shape × evidence × epoch × due × attempts left × key window
 * × recovery passed × capabilities. What else a rule reads is varied by `withEachOther`.
 */
export function* everyFacts(): Generator<Facts> {
  for (const shape of everyShape())
    for (const capabilities of EVERY_CAPABILITY)
      for (const evidence of EVIDENCE_FACTS)
        for (const epoch of ['current', 'older'] as const)
          for (const due of BOTH)
            for (const attemptsLeft of BOTH)
              for (const keyWindow of ['open', 'shut'] as const)
                for (const recoverPassed of BOTH)
                  yield {
                    ...shape,
                    capabilities,
                    evidence,
                    epoch,
                    due,
                    attemptsLeft,
                    keyWindow,
                    recoverPassed,
                  };
}

const OTHERS = {
  ended: BOTH,
  asked: BOTH,
  jobOpen: BOTH,
  versionHeld: BOTH,
  approval: ['not_needed', 'valid', 'missing'],
  predecessor: ['none', 'standing', 'changed'],
  manual: BOTH,
  contradicted: BOTH,
  retention: ['within', 'past'],
  abandonPassed: BOTH,
} as const satisfies { [K in keyof Facts]?: readonly Facts[K][] };

/** The same facts with each remaining field at each of its values, one at a time. */
export function* withEachOther(f: Facts): Generator<Facts> {
  yield f;
  for (const [field, values] of Object.entries(OTHERS))
    for (const value of values) yield { ...f, [field]: value };
}
