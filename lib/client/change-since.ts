import type { DecisionConflict } from '../shapes/decision.ts';
import type { OperationDetail } from '../shapes/operation-record.ts';
import { isDelivery } from './deliveries.ts';

/** What changed the case after `version`, told as a refused decision tells it; null while it is the same. */
export function changeSince(version: number, detail: OperationDetail): DecisionConflict | null {
  const { record, events, decisions } = detail;
  if (record.version === version) return null;
  const last = events.findLast((event) => event.version !== null && !isDelivery(event));
  const decision = decisions.find((one) => record.resolved_by === `decision:${one.decision_id}`);
  return {
    version: record.version,
    status: record.status,
    changed_by: decision?.decided_by_name ?? last?.worker ?? last?.actor ?? record.resolved_by,
    changed_at: last?.at ?? record.updated_at,
    change: last?.kind ?? null,
  };
}
