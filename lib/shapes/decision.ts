import * as z from 'zod/mini';
import { VERDICTS } from '../domain/states.ts';
import { instant } from './instant.ts';

/** A person's verdict on one case. The id is made by the client, so that sending it twice decides once. */
export const decideInput = z.strictObject({
  decision_id: z.uuid(),
  version: z.int().check(z.minimum(1)),
  verdict: z.enum(VERDICTS),
  reason: z.string().check(z.trim(), z.minLength(1, 'A reason is required.'), z.maxLength(4000)),
  effect_reference: z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(1024))),
  evidence_ids: z.array(z.uuid()).check(z.maxLength(100)),
});
export type DecideInput = z.infer<typeof decideInput>;

export const decided = z.object({
  outcome: z.enum(['decided', 'repeated']),
  version: z.int(),
  status: z.string(),
  successor_key: z.nullable(z.string()),
  audit_sequence: z.nullable(z.int()),
});
export type Decided = z.infer<typeof decided>;

/** Why a decision was not taken, as it travels in the problem details. */
export const decisionConflict = z.object({
  version: z.nullish(z.int()),
  status: z.nullish(z.string()),
  changed_by: z.nullish(z.string()),
  changed_at: z.nullish(instant),
  change: z.nullish(z.string()),
});
export type DecisionConflict = z.infer<typeof decisionConflict>;

export const askLookupInput = z.strictObject({ request_id: z.uuid() });
export type AskLookupInput = z.infer<typeof askLookupInput>;

export const asked = z.object({ outcome: z.enum(['asked', 'already_asked']), request_id: z.string() });
export type Asked = z.infer<typeof asked>;
