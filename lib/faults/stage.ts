import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../db/client.ts';
import { ageOperation } from '../../db/queries/tool_operations/age-operation.ts';
import { readState, type OperationState } from '../../db/queries/tool_operations/read-state.ts';
import { readTrace, type TraceRow } from '../../db/queries/tool_operation_events/read-trace.ts';
import type { Capabilities } from '../domain/facts.ts';
import { capabilitiesOf, recoverySeconds } from '../executor/contract/capabilities.ts';
import { downstreamKey, operationKey } from '../executor/identity/operation-key.ts';
import type { Contract, OperationContext, Outcome, Tool } from '../executor/index.ts';
import type { FakeDownstream, FaultSubject } from './subject.ts';
import { until } from './until.ts';
import type { WorkerProcess } from './worker-process.ts';

/** One tool's place of play: its downstream, its database, and workers in processes of their own. */
export interface Theatre {
  /** Names this run in its keys: the downstream may remember those of another. */
  run: string;
  subject: FaultSubject;
  downstream: FakeDownstream;
  tool: Tool;
  sql: Sql;
  /** Two workers with their duties that no row ever stops or kills. */
  near: WorkerProcess;
  far: WorkerProcess;
  /** A worker without duties that a row may stop and kill; ended with the theatre at the latest. */
  victim(): Promise<WorkerProcess>;
  /** The next number, of an operation or a worker. */
  next(): number;
}

/** One intended business action of a row. */
export interface Operation {
  key: string;
  downstreamKey: string;
  context: OperationContext;
  args: unknown;
}

/** Something that must hold for a row to pass. */
interface Check {
  what: string;
  holds: boolean;
}

/** What one play of a row sees and does. */
export interface Stage extends Theatre {
  contract: Contract;
  capabilities: Capabilities;
  /** Whether a doubt after a committed effect can be settled without a person. */
  isProvable: boolean;
  /** The downstream's faults. A timing calls those alone that its `missing` asks for. */
  inject: Required<FakeDownstream>;
  operations: Operation[];
  checks: Check[];
  operation(change?: Partial<OperationContext>, args?: unknown): Promise<Operation>;
  check(what: string, holds: boolean): void;
  /** A pause whose length follows from the seed, so that two plays of one row are not the same race. */
  pause(): Promise<void>;
  state(operation: Operation): Promise<OperationState | null>;
  trace(operation: Operation): Promise<TraceRow[]>;
  effects(operation: Operation): Promise<string[]>;
  /** Lets time pass for one operation. */
  age(operation: Operation, seconds: number): Promise<void>;
  /** Delivers until the answer is a last one, as a caller does that obeys `next_action`. */
  settle(operation: Operation, worker?: WorkerProcess): Promise<Outcome>;
  /** Waits until the record says something. */
  untilState(operation: Operation, holds: (state: OperationState) => boolean, what: string): Promise<void>;
}

const TENANT = 'acme';
const LONGEST_PAUSE_MS = 300;

export function openStage(theatre: Theatre, row: string, seed: number): Stage {
  const { subject, downstream, tool, sql } = theatre;
  const { contract } = tool;
  const capabilities = capabilitiesOf(contract);
  const operations: Operation[] = [];
  const checks: Check[] = [];
  const fraction = seeded(seed);
  const of = ({ context: { tenantId, environment }, key }: Operation) =>
    [tenantId, environment, key] as const;

  const stage: Stage = {
    ...theatre,
    contract,
    capabilities,
    isProvable: capabilities.lookup === 'authoritative' || capabilities.resend !== 'never',
    inject: downstream as Required<FakeDownstream>,
    operations,
    checks,
    operation: async (change = {}, args) => {
      const serial = theatre.next();
      const context: OperationContext = {
        tenantId: TENANT,
        environment: 'faults',
        workflowId: `${theatre.run}_${row}`,
        // of one width: no key is the beginning of another
        stepId: `step_${String(serial).padStart(5, '0')}`,
        actor: { id: `agent:${serial}` },
        ...change,
      };
      const key = operationKey(context);
      const operation = {
        key,
        downstreamKey: downstreamKey(key, contract.downstream.key),
        context,
        args: args ?? (await subject.arguments(downstream, `${theatre.run}_${serial}`)),
      };
      operations.push(operation);
      return operation;
    },
    check: (what, holds) => {
      checks.push({ what, holds });
    },
    pause: () => sleep(fraction() * LONGEST_PAUSE_MS),
    state: async (operation) => (await readState(sql, ...of(operation)))[0]?.state ?? null,
    trace: async (operation) => [...(await readTrace(sql, ...of(operation)))],
    effects: ({ downstreamKey: key }) => downstream.effects(key),
    age: async (operation, seconds) => {
      await ageOperation(sql, ...of(operation), seconds);
    },
    settle: async (operation, worker = theatre.near) => {
      const end = performance.now() + patienceMs(contract);
      for (;;) {
        const outcome = await worker.deliver(operation.args, operation.context).outcome;
        if (isLast(outcome) || performance.now() > end) return outcome;
        await sleep(Math.min(500, (outcome.retry_after_seconds ?? 1) * 1000));
      }
    },
    untilState: (operation, holds, what) =>
      until(
        async () => {
          const state = await stage.state(operation);
          return state !== null && holds(state);
        },
        what,
        patienceMs(contract),
      ),
  };
  return stage;
}

/** The longest that an honest end may take by the contract's own times, and some room for a busy machine. */
function patienceMs(contract: Contract): number {
  const { downstream, attempts, lease_seconds: lease, job_seconds: job = 0 } = contract;
  const contractSeconds =
    lease +
    downstream.call_budget_ms / 1000 +
    downstream.settle_seconds +
    recoverySeconds(contract) +
    job +
    attempts.max * attempts.backoff_seconds * 2;
  return contractSeconds * 1000 + 30_000;
}

/** An answer after which a caller does not deliver again. */
const isLast = ({ status, reason }: Outcome) =>
  status !== 'in_flight' && !(status === 'rejected' && reason === 'not_sent');

/** mulberry32: the same seed gives the same pauses. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
