import type { Sql } from '../../db/client.ts';
import { recordEvidence } from '../../db/queries/lookups/record-evidence.ts';
import { takeLookupRequests } from '../../db/queries/lookup_requests/take-lookup-requests.ts';
import { readContract } from '../../db/queries/tool_contracts/read-contract.ts';
import { registerContract } from '../../db/queries/tool_contracts/register-contract.ts';
import { addEvents } from '../../db/queries/tool_operation_events/add-events.ts';
import { claim } from '../../db/queries/tool_operations/claim.ts';
import { abandonable } from '../../db/queries/tool_operations/abandonable.ts';
import { dutyRan } from '../../db/queries/duty_runs/duty-ran.ts';
import { expiredLeases } from '../../db/queries/tool_operations/expired-leases.ts';
import { heartbeat } from '../../db/queries/tool_operations/heartbeat.ts';
import { pastRetention } from '../../db/queries/tool_operations/past-retention.ts';
import { postpone } from '../../db/queries/tool_operations/postpone.ts';
import { resendable } from '../../db/queries/tool_operations/resendable.ts';
import { readOperations } from '../../db/queries/tool_operations/read-operations.ts';
import { takeReconcilable } from '../../db/queries/tool_operations/take-reconcilable.ts';
import { transition } from '../../db/queries/tool_operations/transition.ts';
import { toFacts, type FactsRow } from '../shapes/facts.ts';
import type { PlainJson } from './identity/plain-json.ts';
import type {
  ClaimRefusal,
  EvidenceReceipt,
  OperationId,
  OperationRecord,
  Question,
  Store,
  TransitionAnswer,
} from './ports.ts';
import { escapeForStorage, unescapeFromStorage } from './storage-text.ts';

/**
 * The store over the shared `tool_operations` table; each method is one statement. Everything that goes in is escaped
 * for what Postgres cannot hold, and everything that comes out is given back as it was.
 * @param sql a client of the executor's role
 */
export function postgresStore(sql: Sql): Store {
  return {
    registerContracts: (rows) =>
      Promise.all(
        rows.map(async (row) => (await answerOf(registerContract(sql, escapeForStorage(row)))) as string),
      ),
    readContracts: (rows) =>
      Promise.all(
        rows.map(async ({ name, version }) => {
          const [row] = await readContract(sql, name, version);
          return row === undefined ? null : unescapeFromStorage(row.answer as PlainJson);
        }),
      ),
    claim: async (rows) => {
      const answers = (await answerOf(claim(sql, stored(rows)))) as StoredClaim[];
      return answers.map(({ claimed, refusal, record }) =>
        record === null
          ? { claimed: false, refusal: refusal ?? 'key_taken', record }
          : { claimed, refusal: null, record: toRecord(record) },
      );
    },
    read: async (rows) => {
      const answers = (await answerOf(readOperations(sql, stored(rows)))) as (Row | null)[];
      return answers.map((row) => row && toRecord(row));
    },
    transition: async (event, rows) => {
      const answers = (await answerOf(transition(sql, event, stored(rows)))) as (Omit<
        TransitionAnswer,
        'record'
      > & {
        record: Row | null;
      })[];
      return answers.map(({ refusal, record }) => ({ refusal, record: record && toRecord(record) }));
    },
    heartbeat: async (rows) => (await answerOf(heartbeat(sql, stored(rows)))) as boolean[],
    addEvents: async (rows) => {
      await answerOf(addEvents(sql, stored(rows)));
    },
    recordEvidence: async (rows) => {
      const answers = (await answerOf(recordEvidence(sql, stored(rows)))) as (Omit<
        EvidenceReceipt,
        'record'
      > & {
        record: Row | null;
      })[];
      return answers.map(({ record, ...rest }) => ({ ...rest, record: record && toRecord(record) }));
    },
    expiredLeases: async (limit) => (await answerOf(expiredLeases(sql, limit))) as OperationId[],
    abandonable: async (limit) => (await answerOf(abandonable(sql, limit))) as OperationId[],
    pastRetention: async (limit) => (await answerOf(pastRetention(sql, limit))) as OperationId[],
    resendable: async (tools, limit) =>
      ((await answerOf(resendable(sql, tools, limit))) as Row[]).map(toRecord),
    postpone: async (rows) => (await answerOf(postpone(sql, stored(rows)))) as number,
    dutyRan: async (run) => {
      await answerOf(dutyRan(sql, run));
    },
    takeReconcilable: async (tools, limit, seconds) =>
      ((await answerOf(takeReconcilable(sql, tools, limit, seconds))) as QuestionRow[]).map(toQuestion),
    takeLookupRequests: async (tools, limit, seconds) =>
      ((await answerOf(takeLookupRequests(sql, tools, limit, seconds))) as QuestionRow[]).map(toQuestion),
  };
}

type StoredClaim = { claimed: boolean; refusal: ClaimRefusal | null; record: Row | null };
type Row = Omit<OperationRecord, 'facts'> & { facts: FactsRow };
type QuestionRow = Omit<Question, 'facts'> & { facts: FactsRow };

const stored = (rows: readonly object[]) => escapeForStorage(rows as unknown as PlainJson);

const restored = <T>(row: T) => unescapeFromStorage(row as PlainJson) as T;

const toRecord = (row: Row): OperationRecord => ({ ...restored(row), facts: toFacts(row.facts) });
const toQuestion = (row: QuestionRow): Question => ({ ...restored(row), facts: toFacts(row.facts) });

async function answerOf(statement: PromiseLike<readonly { answer: unknown }[]>): Promise<unknown> {
  const [row] = await statement;
  if (row === undefined) throw new Error('the statement answered no row');
  return row.answer;
}
