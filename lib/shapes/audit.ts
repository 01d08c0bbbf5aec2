import * as z from 'zod/mini';
import { instant } from './instant.ts';

/** One audit entry as the list shows it; `body` is the exact content that the chain's hash covers. */
export const auditEntry = z.object({
  sequence: z.int(),
  at: instant,
  actor: z.string(),
  actor_name: z.nullable(z.string()),
  action: z.string(),
  operation_key: z.nullable(z.string()),
  body: z.record(z.string(), z.unknown()),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditPage = z.object({
  checked_at: instant,
  /** The chain's head: how many entries it has, and the hash of the last. */
  head: z.nullable(z.object({ sequence: z.int(), hash: z.string() })),
  entries: z.array(auditEntry),
  next: z.nullable(z.string()),
});
export type AuditPage = z.infer<typeof auditPage>;
