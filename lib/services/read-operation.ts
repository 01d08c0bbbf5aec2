import { scopedRead } from '../../db/client.ts';
import { listDecisions } from '../../db/queries/decisions/list-decisions.ts';
import { readOpenRequest } from '../../db/queries/lookup_requests/read-open-request.ts';
import { listEvidence } from '../../db/queries/lookups/list-evidence.ts';
import { listEvents } from '../../db/queries/tool_operation_events/list-events.ts';
import { readOperation as query } from '../../db/queries/tool_operations/read-operation.ts';
import type { Caller } from '../auth/caller.ts';
import { ServiceError } from '../errors.ts';
import { operationDetail, type OperationDetail } from '../shapes/operation-record.ts';
import type { Scope } from '../shapes/scope.ts';
import { requireGrant } from './require-grant.ts';

const EVENTS = 400;
const EVIDENCE = 100;

/** Everything that the case and the trace screens show about one operation. */
export async function readOperation(
  caller: Caller,
  scope: Scope,
  input: { operationKey: string },
): Promise<OperationDetail> {
  const roles = await requireGrant(caller, scope);
  const pair = { tenantId: scope.tenant, environment: scope.environment };
  const { operationKey } = input;
  const found = await scopedRead([pair], async (db) => {
    const operation = await query(db, pair, operationKey);
    if (operation === undefined) return null;
    const events = await listEvents(db, pair, operationKey, EVENTS);
    return {
      ...(operation as object),
      events,
      events_left_off: Array.isArray(events) && events.length === EVENTS,
      evidence: await listEvidence(db, pair, operationKey, EVIDENCE),
      question: (await readOpenRequest(db, pair, operationKey)) ?? null,
      decisions: await listDecisions(db, pair, operationKey),
      roles,
    };
  });
  if (found === null)
    throw new ServiceError('not_found', 'There is no operation with this key, or it is not open to you.');
  return operationDetail.parse(found);
}
