import * as z from 'zod/mini';
import { instant } from './instant.ts';

/** A person's answer to a request for approval, for the version that the person saw. */
export const decideApprovalInput = z.strictObject({
  decision_id: z.uuid(),
  version: z.int().check(z.minimum(1)),
  answer: z.enum(['approve', 'deny']),
  reason: z.string().check(z.trim(), z.minLength(1, 'A reason is required.'), z.maxLength(4000)),
});
export type DecideApprovalInput = z.infer<typeof decideApprovalInput>;

export const approvalDecided = z.object({
  outcome: z.enum(['decided', 'repeated']),
  approval_id: z.string(),
  state: z.enum(['approved', 'denied']),
  /** Until when the approval lets an attempt through; null for a denial. */
  valid_until: z.nullish(instant),
});
export type ApprovalDecided = z.infer<typeof approvalDecided>;

/** Why an answer was not taken: what the request is by now, and who answered it. */
export const approvalConflict = z.object({
  version: z.int(),
  status: z.string(),
  state: z.nullish(z.string()),
  decided_by: z.nullish(z.string()),
  decided_at: z.nullish(instant),
});
