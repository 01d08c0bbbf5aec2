import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Outcome } from '../domain/outcome.ts';
import type { Authorize, OperationContext } from './context.ts';
import type { Contract } from './contract/contract.ts';
import { InvalidContract } from './contract/invalid-contract.ts';
import { registrationOf } from './contract/registration.ts';
import { execute } from './execute.ts';
import { mergingStore } from './merging-store.ts';
import type { Clock, Randomness, Store } from './ports.ts';
import { answerLookupRequests, compact, reconcile, recover, type DutyReport } from './reconcile.ts';
import { assertSealing, type Sealing } from './sealing.ts';
import { status } from './status.ts';
import type { Tool } from './tool.ts';
import { traced } from './traced.ts';
import { walk, type WalkReport } from './walk.ts';
import type { World } from './world.ts';

export interface ExecutorOptions {
  /** The record; `postgresStore(sql)` for the shared table. */
  store: Store;
  /**
   * The environments that this process serves, such as `['production']`. A delivery of another one is refused, and no duty
   * asks about, sends or settles what another one did, although the table is shared.
   */
  environments: readonly string[];
  /** Tools that this process holds. Of several versions of one name, the last takes new operations. */
  tools: readonly Tool[];
  /** The application's policy, asked before the stored state is revealed, before the effect and before a replay. */
  authorize: Authorize;
  /** Names this process in leases and traces; the host and process by default. */
  worker?: string;
  /** The deployed revision, kept with each operation. */
  deploy?: string;
  /** At least 16 bytes; keys the per-field digests of the trace. */
  fieldDigestKey?: Uint8Array;
  /** Keys of what is stored sealed: needed by contracts with sensitive replay fields or `resend_by_recovery`. */
  sealing?: Sealing;
  /** Tools that this process runs less freely than their contracts allow, by name; never more freely. */
  stricter?: Readonly<Record<string, 'automate_with_approval' | 'manual'>>;
  /** Told what goes wrong beside an answer; never with payloads. */
  warn?: (message: string, error: unknown) => void;
  /** False sends each call as a statement of its own; by default concurrent calls share statements. */
  merge?: boolean;
  clock?: Clock;
  random?: Randomness;
}

export interface Executor {
  /**
   * Delivers one tool call. The same step delivered again makes no second effect.
   * @param toolName a registered tool's name
   * @param args the model's arguments, unchecked
   * @param context what the application knows of this call; nothing of it may come from the model
   * @returns one of the five outcomes
   * @throws only when the database failed before a claim: nothing was sent then
   */
  execute(
    toolName: string,
    args: unknown,
    context: OperationContext,
    options?: { signal?: AbortSignal },
  ): Promise<Outcome>;
  /**
   * What became of a step, for polling: nothing is fired by it. By the key alone it tells status and next action; with
   * `args`, the arguments of the call, also reference and result.
   */
  status(toolName: string, context: OperationContext, options?: { args?: unknown }): Promise<Outcome>;
  /** Fires `expire` on leases that ran out; answers how many. Run it in a loop, in any number of processes. */
  recover(limit?: number): Promise<number>;
  /** Asks the systems of record about operations in doubt and settles what is proved. Run it in a loop. */
  reconcile(limit?: number): Promise<DutyReport>;
  /** Drops the results of what is past its retention and keeps its tombstone; answers how many. Run it in a loop. */
  compact(limit?: number): Promise<number>;
  /** Walks what the providers list and compares it with the operations. Run it in a loop. */
  walk(limit?: number): Promise<WalkReport>;
  /** Answers look-ups that people asked for in the console; answers how many. Run it in a loop. */
  answerLookupRequests(limit?: number): Promise<number>;
  /** Takes no more deliveries, and settles when those that have begun are recorded. */
  close(): Promise<void>;
}

/**
 * Registers the tools' contracts and gives the executor. Rejects with a sentence when a version was registered with
 * another effect-bearing digest, or a contract asks for what it was not given the means for.
 */
export async function createExecutor(options: ExecutorOptions): Promise<Executor> {
  const { store, tools, sealing = null } = options;
  if (sealing !== null) assertSealing(sealing);
  for (const { contract } of tools)
    if (sealing === null && needsSealing(contract))
      throw new InvalidContract(`${contract.name}@${contract.version}`, [
        {
          path: contract.resend_by_recovery ? 'resend_by_recovery' : 'replay.sensitive',
          sentence: 'It is stored sealed, and no sealing keys are configured; give createExecutor `sealing`.',
        },
      ]);
  const rows = tools.map((tool) => registrationOf(tool.contract));
  const digests = await store.registerContracts(rows);
  for (const [i, row] of rows.entries())
    if (digests[i] !== row.digest)
      throw new Error(
        `${row.name} ${row.version} was registered with other effect-bearing rules. Give the changed contract a new version.`,
      );
  const clock = options.clock ?? monotonicClock;
  const world: World = {
    store: options.merge === false ? store : mergingStore(store, { clock }),
    clock,
    random: options.random ?? { uuid: randomUUID, fraction: Math.random },
    authorize: options.authorize,
    tools: new Map(
      tools.flatMap((tool) => [
        [tool.contract.name, tool],
        [`${tool.contract.name}@${tool.contract.version}`, tool],
      ]),
    ),
    environments: [...options.environments],
    worker: options.worker ?? `${hostname()}:${process.pid}`,
    deploy: options.deploy ?? null,
    fieldDigestKey: options.fieldDigestKey ?? null,
    sealing,
    stricter: options.stricter ?? {},
    warn: harmless(options.warn ?? (() => {})),
  };
  const seen = await store.seeEpoch?.();
  if (seen?.accepted === false)
    world.warn(
      `${seen.epoch} is another database server than before, which may have lost claims; see \`npm run epoch -- status\``,
      null,
    );
  const toolNamed = (name: string): Tool => {
    const tool = world.tools.get(name);
    if (tool === undefined) throw new TypeError(`no tool named ${name} is registered here`);
    return tool;
  };
  const running = new Set<Promise<unknown>>();
  let isClosed = false;
  /** Work that `close` waits for. */
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new Error('this executor is closed');
    const started = work();
    running.add(started);
    try {
      return await started;
    } finally {
      running.delete(started);
    }
  };
  return {
    execute: (toolName, args, context, { signal } = {}) =>
      run(async () => await execute(world, toolNamed(toolName), args, context, signal)),
    status: (toolName, context, { args } = {}) =>
      run(async () => await status(world, toolNamed(toolName), context, args)),
    recover: (limit = 50) => run(() => traced(world, 'recover', () => recover(world, limit))),
    reconcile: (limit = 20) => run(() => traced(world, 'reconcile', () => reconcile(world, limit))),
    compact: (limit = 200) => run(() => traced(world, 'compact', () => compact(world, limit))),
    walk: (limit = 10) => run(() => traced(world, 'walk', () => walk(world, limit))),
    answerLookupRequests: (limit = 20) =>
      run(() => traced(world, 'answer_lookups', () => answerLookupRequests(world, limit))),
    close: async () => {
      isClosed = true;
      await Promise.allSettled(running);
    },
  };
}

const needsSealing = ({ replay, resend_by_recovery: resend }: Contract) =>
  replay.sensitive.length > 0 || resend === true;

/** A listener that throws or rejects changes no outcome and ends no process. */
const harmless =
  (warn: NonNullable<ExecutorOptions['warn']>): World['warn'] =>
  (message, error) => {
    void (async () => warn(message, error))().catch(() => {});
  };

/** Beyond it Node fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const monotonicClock: Clock = {
  now: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
