import * as z from 'zod/mini';
import { scopedRead } from '../../db/client.ts';
import { listEntries } from '../../db/queries/audit_entries/list-entries.ts';
import type { Caller } from '../auth/caller.ts';
import { auditPage, type AuditPage } from '../shapes/audit.ts';
import type { Scope } from '../shapes/scope.ts';
import { requireGrant } from './require-grant.ts';

const PAGE_SIZE = 50;
const answer = z.omit(auditPage, { next: true });

/** The audit chain of one scope, the last entry first, page by page. */
export async function listAudit(
  caller: Caller,
  scope: Scope,
  input: { before: string | null },
): Promise<AuditPage> {
  await requireGrant(caller, scope);
  const pair = { tenantId: scope.tenant, environment: scope.environment };
  const before = input.before === null ? null : Number(input.before);
  const found = await scopedRead([pair], (db) => listEntries(db, pair, { before, limit: PAGE_SIZE + 1 }));
  const { entries, ...rest } = answer.parse(found);
  const shown = entries.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  return { ...rest, entries: shown, next: entries.length > PAGE_SIZE && last ? String(last.sequence) : null };
}
