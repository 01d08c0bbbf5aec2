import type { StoredContract, StoredEvidence, StoredRow } from './stored-row.ts';

/** A row of `connector_health`. */
export interface StoredHealth {
  failing_since: number;
  failures: number;
  last_key: string;
}

/** `app.heard`: one operation that can never be asked about is no outage, so it counts once; an answer ends a failure. */
export function heard(
  health: StoredHealth | undefined,
  row: StoredRow,
  given: StoredEvidence,
  at: number,
): StoredHealth | undefined {
  if (given.source !== 'lookup' && given.source !== 'job') return health;
  if (given.answer !== 'failed') return undefined;
  return {
    failing_since: health?.failing_since ?? at,
    failures: (health?.failures ?? 0) + (health?.last_key === row.operation_key ? 0 : 1),
    last_key: row.operation_key,
  };
}

/** `app.is_outage`: three questions about different operations failed in a row, not longer ago than the contract allows. */
export const isOutage = (health: StoredHealth | undefined, contract: StoredContract, at: number): boolean =>
  health !== undefined && health.failures >= 3 && health.failing_since + contract.outage_seconds * 1000 > at;

/** `app.waiting_for`: the time for which the provider was silent does not count, and it is asked once more. */
export const waitingFor = (row: StoredRow, health: StoredHealth, nextAt: number, at: number): number =>
  Math.max(
    (row.recover_until ?? -Infinity) + (at - Math.max(health.failing_since, row.updated_at)),
    nextAt + 30_000,
  );
