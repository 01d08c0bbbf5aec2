import * as z from 'zod/mini';
import { EVIDENCE_ANSWERS } from '../domain/states.ts';
import { instant } from './instant.ts';

/** One operation as a list shows it: never a payload. */
export const operationRow = z.object({
  operation_key: z.string(),
  tool_name: z.string(),
  /** What the effect is about, by the contract's label ("invoice 8841"). */
  target: z.nullable(z.string()),
  status: z.string(),
  pending_reason: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  request_fingerprint: z.string(),
  effect_reference: z.nullable(z.string()),
  provider_job_id: z.nullable(z.string()),
  attempt: z.int(),
  contradicted: z.boolean(),
  adopted: z.boolean(),
  created_at: instant,
  updated_at: instant,
});
export type OperationRow = z.infer<typeof operationRow>;

/** One case: an operation that needs a person, with what is known about it. */
export const caseRow = z.extend(operationRow, {
  sent_at: z.nullable(instant),
  lease_until: z.nullable(instant),
  attempts_left: z.boolean(),
  case_at: instant,
  due_at: instant,
  evidence: z.nullable(z.enum(EVIDENCE_ANSWERS)),
  evidence_asked_at: z.nullable(instant),
  /** The receipt that the evidence names. */
  evidence_reference: z.nullable(z.string()),
  /** From when on an answer "absent" proves something; null without an authoritative lookup. */
  absence_counts_from: z.nullable(instant),
  absence_is_conclusive: z.boolean(),
  lookup: z.enum(['none', 'advisory', 'authoritative']),
});
export type CaseRow = z.infer<typeof caseRow>;

export const casePage = z.object({
  checked_at: instant,
  cases: z.array(caseRow),
  next: z.nullable(z.string()),
});
export type CasePage = z.infer<typeof casePage>;

/** The queue in figures. */
export const caseFigures = z.object({
  checked_at: instant,
  open: z.int(),
  oldest_at: z.nullable(instant),
  stuck_pending: z.int(),
  overdue: z.int(),
  receipt_found: z.int(),
});
export type CaseFigures = z.infer<typeof caseFigures>;

export const operationPage = z.object({
  checked_at: instant,
  operations: z.array(operationRow),
  /** Names of the registered tools, for the filter. */
  tools: z.array(z.string()),
  next: z.nullable(z.string()),
});
export type OperationPage = z.infer<typeof operationPage>;
