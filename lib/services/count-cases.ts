import { scopedRead } from '../../db/client.ts';
import { countCases as query } from '../../db/queries/tool_operations/count-cases.ts';
import type { Caller } from '../auth/caller.ts';
import { caseFigures, type CaseFigures } from '../shapes/case-row.ts';
import type { Scope } from '../shapes/scope.ts';
import { requireGrant } from './require-grant.ts';

/** The queue of one scope in figures. */
export async function countCases(caller: Caller, scope: Scope): Promise<CaseFigures> {
  await requireGrant(caller, scope);
  const pair = { tenantId: scope.tenant, environment: scope.environment };
  return caseFigures.parse(await scopedRead([pair], (db) => query(db, pair)));
}
