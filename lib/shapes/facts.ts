import * as z from 'zod/mini';
import { EVIDENCE_FACTS, type Facts } from '../domain/facts.ts';
import { PENDING_REASONS, STATUSES } from '../domain/states.ts';

/** `app.facts` as the database writes it. */
export const factsRow = z.object({
  status: z.enum([...STATUSES, 'none', 'unrecognised']),
  pending_reason: z.enum([...PENDING_REASONS, 'none']),
  lease: z.enum(['none', 'live', 'expired']),
  sent: z.boolean(),
  doubt: z.enum(['none', 'own', 'earlier']),
  ended: z.boolean(),
  due: z.boolean(),
  attempts_left: z.boolean(),
  evidence: z.enum(EVIDENCE_FACTS),
  asked: z.boolean(),
  key_window: z.enum(['open', 'shut']),
  recover_passed: z.boolean(),
  job_open: z.boolean(),
  version_held: z.boolean(),
  approval: z.enum(['not_needed', 'valid', 'missing']),
  predecessor: z.enum(['none', 'standing', 'changed']),
  manual: z.boolean(),
  contradicted: z.boolean(),
  retention: z.enum(['within', 'past']),
  abandon_passed: z.boolean(),
  epoch: z.enum(['current', 'older']),
  adopted: z.boolean(),
  lookup: z.enum(['none', 'advisory', 'authoritative']),
  resend: z.enum(['never', 'keyed', 'absolute']),
  delicate: z.boolean(),
});

export type FactsRow = z.infer<typeof factsRow>;

/** The database's facts in the words of `lib/domain`. */
export function toFacts(f: FactsRow): Facts {
  return {
    status: f.status,
    pendingReason: f.pending_reason,
    lease: f.lease,
    sent: f.sent,
    doubt: f.doubt,
    ended: f.ended,
    due: f.due,
    attemptsLeft: f.attempts_left,
    evidence: f.evidence,
    asked: f.asked,
    keyWindow: f.key_window,
    recoverPassed: f.recover_passed,
    jobOpen: f.job_open,
    versionHeld: f.version_held,
    approval: f.approval,
    predecessor: f.predecessor,
    manual: f.manual,
    contradicted: f.contradicted,
    retention: f.retention,
    abandonPassed: f.abandon_passed,
    epoch: f.epoch,
    adopted: f.adopted,
    capabilities: { lookup: f.lookup, resend: f.resend, delicate: f.delicate },
  };
}
