import type { Sql } from '../../db/client.ts';
import { seeEpoch } from '../../db/queries/epochs/see-epoch.ts';
import { recordEvidence } from '../../db/queries/lookups/record-evidence.ts';
import { takeLookupRequests } from '../../db/queries/lookup_requests/take-lookup-requests.ts';
import { readContract } from '../../db/queries/tool_contracts/read-contract.ts';
import { registerContract } from '../../db/queries/tool_contracts/register-contract.ts';
import { endWalk } from '../../db/queries/provider_walks/end-walk.ts';
import { storeWalkPage } from '../../db/queries/provider_walks/store-walk-page.ts';
import { takeWalks } from '../../db/queries/provider_walks/take-walks.ts';
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
import {
  claimAnswers,
  toRecord,
  transitionAnswers,
  type BatchAnswer,
  type Row,
  type StoredClaim,
  type StoredTransition,
} from './batch-answers.ts';
import type { PlainJson } from './identity/plain-json.ts';
import type {
  Epoch,
  EvidenceReceipt,
  OperationId,
  OperationRecord,
  Question,
  Store,
  WalkRun,
} from './ports.ts';
import { escapeForStorage, mayHoldEscapes, mayNeedEscape, unescapeFromStorage } from './storage-text.ts';

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
    claim: async (rows) =>
      claimAnswers(rows, parsed(await textOf(claim(sql, storedText(rows)))) as BatchAnswer<StoredClaim>),
    read: async (rows) =>
      (parsed(await textOf(readOperations(sql, storedText(rows)))) as (Row | null)[]).map(
        (row) => row && toRecord(row),
      ),
    transition: async (event, rows) =>
      transitionAnswers(
        rows,
        parsed(await textOf(transition(sql, event, storedText(rows)))) as BatchAnswer<StoredTransition>,
      ),
    heartbeat: async (rows) => (await answerOf(heartbeat(sql, stored(rows)))) as boolean[],
    addEvents: async (rows) => {
      await textOf(addEvents(sql, storedText(rows)));
    },
    recordEvidence: async (rows) => {
      const answers = (await answerOf(recordEvidence(sql, stored(rows)))) as (Omit<
        EvidenceReceipt,
        'record'
      > & {
        record: Row | null;
      })[];
      return answers.map(({ record, ...rest }) => ({ ...rest, record: record && restoredRecord(record) }));
    },
    expiredLeases: async (limit) => (await answerOf(expiredLeases(sql, limit))) as OperationId[],
    abandonable: async (limit) => (await answerOf(abandonable(sql, limit))) as OperationId[],
    pastRetention: async (limit) => (await answerOf(pastRetention(sql, limit))) as OperationId[],
    resendable: async (tools, limit) =>
      ((await answerOf(resendable(sql, tools, limit))) as Row[]).map(restoredRecord),
    postpone: async (rows) => (await answerOf(postpone(sql, stored(rows)))) as number,
    dutyRan: async (run) => {
      await answerOf(dutyRan(sql, run));
    },
    seeEpoch: async () => (await answerOf(seeEpoch(sql))) as Epoch,
    walks: {
      take: async (...due) => (await answerOf(takeWalks(sql, ...due))) as WalkRun[],
      storePage: async (run, effects, next, seconds) =>
        (await answerOf(
          storeWalkPage(sql, run, stored(effects), next && escapeForStorage(next), seconds),
        )) as boolean,
      end: async (run, failed, againSeconds) =>
        (await answerOf(
          endWalk(sql, run, failed && escapeForStorage(failed), againSeconds),
        )) as Judged | null,
    },
    takeReconcilable: async (tools, limit, seconds) =>
      ((await answerOf(takeReconcilable(sql, tools, limit, seconds))) as QuestionRow[]).map(toQuestion),
    takeLookupRequests: async (tools, limit, seconds) =>
      ((await answerOf(takeLookupRequests(sql, tools, limit, seconds))) as QuestionRow[]).map(toQuestion),
  };
}

type Judged = { opened: number; closed: number };
type QuestionRow = Omit<Question, 'facts'> & { facts: FactsRow };

const stored = (rows: readonly object[]) => escapeForStorage(rows as unknown as PlainJson);

const restored = <T>(row: T) => unescapeFromStorage(row as PlainJson) as T;

const restoredRecord = (row: Row): OperationRecord => toRecord({ ...restored(row), facts: row.facts });
const toQuestion = (row: QuestionRow): Question => ({ ...restored(row), facts: toFacts(row.facts) });

/** JSON text for storage. Escaping walks every value, so it is done only where the text shows that something needs it. */
function storedText(rows: readonly object[]): string {
  const text = JSON.stringify(rows);
  return mayNeedEscape(text) ? JSON.stringify(stored(rows)) : text;
}

function parsed(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return mayHoldEscapes(text) ? restored(value) : value;
}

async function textOf(statement: PromiseLike<readonly { answer: string }[]>): Promise<string> {
  const [row] = await statement;
  if (row === undefined) throw new Error('the statement answered no row');
  return row.answer;
}

async function answerOf(statement: PromiseLike<readonly { answer: unknown }[]>): Promise<unknown> {
  const [row] = await statement;
  if (row === undefined) throw new Error('the statement answered no row');
  return row.answer;
}
