import { toFacts, type FactsRow } from '../shapes/facts.ts';
import type { Facts } from '../domain/facts.ts';
import type { PlainJson } from './identity/plain-json.ts';
import type {
  ClaimAnswer,
  ClaimRefusal,
  ClaimRow,
  OperationId,
  OperationRecord,
  TransitionAnswer,
} from './ports.ts';

/** A record as the database writes it. */
export type Row = Omit<OperationRecord, 'facts'> & { facts: FactsRow };

export const toRecord = (row: Row): OperationRecord => ({ ...row, facts: toFacts(row.facts) });

/** What `app.claim_many` and `app.transition_many` answer; rows are numbered from 1, and records that are alike sent once. */
export interface BatchAnswer<Answer> {
  /** Of rows that were claimed, by contract: the record of one of them. */
  fresh?: { [contract: string]: Row } | null;
  likes?: { [likeness: string]: Row } | null;
  alike?: [number: number, likeness: string, own: OwnColumns][] | null;
  rows?: { [number: string]: Answer } | null;
}

/** As `app.own_record` lists them. */
type OwnColumns = [
  request_fingerprint: string,
  fingerprint_version: number,
  version: number,
  downstream_key: string | null,
  downstream_request_id: string | null,
  connector: string | null,
  actor: string | null,
  workflow_id: string | null,
  step_id: string | null,
  effect_reference: string | null,
  response: PlainJson,
  resolved_by: string | null,
  first_recorded_at: string | null,
];

export type StoredClaim = { claimed: boolean; refusal: ClaimRefusal | null; record: Row | null };
export type StoredTransition = Pick<TransitionAnswer, 'refusal'> & { record: Row | null };

export function claimAnswers(rows: readonly ClaimRow[], batch: BatchAnswer<StoredClaim>): ClaimAnswer[] {
  const records = new Records(rows, batch);
  return rows.map((row, i) => {
    const stored = batch.rows?.[i + 1];
    if (stored !== undefined)
      return stored.record === null
        ? { claimed: false, refusal: stored.refusal ?? 'key_taken', record: null }
        : { claimed: stored.claimed, refusal: null, record: toRecord(stored.record) };
    const alike = records.alike(i);
    return alike === undefined
      ? { claimed: true, refusal: null, record: records.like(freshOf(batch, row), sentBy(row)) }
      : { claimed: false, refusal: null, record: alike };
  });
}

export function transitionAnswers(
  rows: readonly OperationId[],
  batch: BatchAnswer<StoredTransition>,
): TransitionAnswer[] {
  const records = new Records(rows, batch);
  return rows.map((_row, i) => {
    const stored = batch.rows?.[i + 1];
    if (stored !== undefined)
      return { refusal: stored.refusal, record: stored.record && toRecord(stored.record) };
    const record = records.alike(i);
    if (record === undefined) throw new Error('the statement did not answer a row');
    return { refusal: null, record };
  });
}

/** Records that share what is alike, the facts among it. */
class Records {
  readonly #facts = new Map<Row, Facts>();
  readonly #alike: (OperationRecord | undefined)[] = [];

  constructor(rows: readonly OperationId[], { alike, likes }: BatchAnswer<unknown>) {
    for (const [number, likeness, own] of alike ?? []) {
      const row = rows[number - 1];
      if (row === undefined) throw new Error('the statement answered a row that was not asked for');
      this.#alike[number - 1] = this.like(likes?.[likeness], { ...idOf(row), ...ownColumns(own) });
    }
  }

  alike(index: number): OperationRecord | undefined {
    return this.#alike[index];
  }

  like(row: Row | undefined, own: Partial<Row>): OperationRecord {
    if (row === undefined) throw new Error('the statement did not answer a record');
    let facts = this.#facts.get(row);
    if (facts === undefined) this.#facts.set(row, (facts = toFacts(row.facts)));
    return { ...row, ...own, facts };
  }
}

const idOf = ({ tenant_id, environment, operation_key }: OperationId): OperationId => ({
  tenant_id,
  environment,
  operation_key,
});

const ownColumns = (own: OwnColumns) => ({
  request_fingerprint: own[0],
  fingerprint_version: own[1],
  version: own[2],
  downstream_key: own[3],
  downstream_request_id: own[4],
  connector: own[5],
  actor: own[6],
  workflow_id: own[7],
  step_id: own[8],
  effect_reference: own[9],
  response: own[10],
  resolved_by: own[11],
  first_recorded_at: own[12],
});

const freshOf = ({ fresh }: BatchAnswer<unknown>, row: ClaimRow): Row | undefined =>
  fresh?.[`${row.tool_name}@${row.tool_version}`];

/** What a claim itself wrote into its record. */
const sentBy = (row: ClaimRow): Partial<Row> => ({
  ...idOf(row),
  request_fingerprint: row.request_fingerprint,
  fingerprint_version: row.fingerprint_version,
  lease_token: row.lease_token,
  downstream_key: row.downstream_key,
  downstream_request_id: row.downstream_request_id,
  connector: row.connector,
  actor: row.actor,
  workflow_id: row.workflow_id,
  step_id: row.step_id,
});
