import * as z from 'zod/mini';
import { scopedRead } from '../../db/client.ts';
import { listCases as query } from '../../db/queries/tool_operations/list-cases.ts';
import type { Caller } from '../auth/caller.ts';
import { casePage, type CasePage } from '../shapes/case-row.ts';
import type { Scope } from '../shapes/scope.ts';
import { fromCursor, toCursor } from './page-cursor.ts';
import { requireGrant } from './require-grant.ts';

const PAGE_SIZE = 50;
const answer = z.omit(casePage, { next: true });

/** The open cases of one scope, the one due first on top, page by page. */
export async function listCases(
  caller: Caller,
  scope: Scope,
  input: { after: string | null },
): Promise<CasePage> {
  await requireGrant(caller, scope);
  const after = input.after === null ? null : fromCursor(input.after);
  const pair = { tenantId: scope.tenant, environment: scope.environment };
  const found = await scopedRead([pair], (db) =>
    query(db, pair, {
      after: after && { dueAt: after.at, operationKey: after.key },
      limit: PAGE_SIZE + 1,
    }),
  );
  const { checked_at, cases } = answer.parse(found);
  const shown = cases.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  return {
    checked_at,
    cases: shown,
    next: cases.length > PAGE_SIZE && last ? toCursor(last.due_at, last.operation_key) : null,
  };
}
