import * as z from 'zod/mini';
import { scopedRead } from '../../db/client.ts';
import { listTools } from '../../db/queries/tool_contracts/list-tools.ts';
import { listOperations as query } from '../../db/queries/tool_operations/list-operations.ts';
import type { Caller } from '../auth/caller.ts';
import { operationPage, type OperationPage } from '../shapes/case-row.ts';
import type { OperationSearch } from '../shapes/operation-search.ts';
import type { Scope } from '../shapes/scope.ts';
import { fromCursor, toCursor } from './page-cursor.ts';
import { requireGrant } from './require-grant.ts';

const PAGE_SIZE = 50;
const answer = z.omit(operationPage, { next: true });

/** Every operation of one scope, the last changed first, by the filters of the address. */
export async function listOperations(
  caller: Caller,
  scope: Scope,
  input: OperationSearch,
): Promise<OperationPage> {
  await requireGrant(caller, scope);
  const after = input.after === undefined ? null : fromCursor(input.after);
  const pair = { tenantId: scope.tenant, environment: scope.environment };
  const filter = { status: input.status ?? null, tool: input.tool ?? null, find: input.q ?? null };
  const found = await scopedRead([pair], async (db) => ({
    ...((await query(db, pair, filter, {
      after: after && { updatedAt: after.at, operationKey: after.key },
      limit: PAGE_SIZE + 1,
    })) as object),
    tools: await listTools(db),
  }));
  const { operations, ...rest } = answer.parse(found);
  const shown = operations.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  return {
    ...rest,
    operations: shown,
    next: operations.length > PAGE_SIZE && last ? toCursor(last.updated_at, last.operation_key) : null,
  };
}
