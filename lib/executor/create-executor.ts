import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Outcome } from '../domain/outcome.ts';
import type { Authorize, OperationContext } from './context.ts';
import { registrationOf } from './contract/registration.ts';
import { execute } from './execute.ts';
import type { Clock, Randomness, Store } from './ports.ts';
import { answerLookupRequests, reconcile, recover, type DutyReport } from './reconcile.ts';
import { status } from './status.ts';
import type { Tool } from './tool.ts';
import type { World } from './world.ts';

export interface ExecutorOptions {
  /** The record; `postgresStore(sql)` for the shared table. */
  store: Store;
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
  /** Told what goes wrong beside an answer; never with payloads. */
  warn?: (message: string, error: unknown) => void;
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
  /** Answers look-ups that people asked for in the console; answers how many. Run it in a loop. */
  answerLookupRequests(limit?: number): Promise<number>;
}

/**
 * Registers the tools' contracts and gives the executor. Rejects with a sentence when a version was registered with
 * another effect-bearing digest, or a contract asks for what this executor does not do yet.
 */
export async function createExecutor(options: ExecutorOptions): Promise<Executor> {
  const { store, tools } = options;
  const rows = tools.map((tool) => registrationOf(tool.contract));
  const digests = await store.registerContracts(rows);
  for (const [i, row] of rows.entries())
    if (digests[i] !== row.digest)
      throw new Error(
        `${row.name} ${row.version} was registered with other effect-bearing rules. Give the changed contract a new version.`,
      );
  const world: World = {
    store,
    clock: options.clock ?? monotonicClock,
    random: options.random ?? { uuid: randomUUID, fraction: Math.random },
    authorize: options.authorize,
    tools: new Map(
      tools.flatMap((tool) => [
        [tool.contract.name, tool],
        [`${tool.contract.name}@${tool.contract.version}`, tool],
      ]),
    ),
    worker: options.worker ?? `${hostname()}:${process.pid}`,
    deploy: options.deploy ?? null,
    fieldDigestKey: options.fieldDigestKey ?? null,
    warn: harmless(options.warn ?? (() => {})),
  };
  const seen = await store.seeEpoch?.();
  if (seen?.accepted === false)
    world.warn(
      `${seen.epoch} is another database server than before, which may have lost claims; see \`npm run epoch -- status\``,
      null,
    );
  return {
    execute: async (toolName, args, context, { signal } = {}) => {
      const tool = world.tools.get(toolName);
      if (tool === undefined) throw new TypeError(`no tool named ${toolName} is registered here`);
      return await execute(world, tool, args, context, signal);
    },
    status: async (toolName, context, { args } = {}) => {
      const tool = world.tools.get(toolName);
      if (tool === undefined) throw new TypeError(`no tool named ${toolName} is registered here`);
      return await status(world, tool, context, args);
    },
    recover: (limit = 50) => recover(world, limit),
    reconcile: (limit = 20) => reconcile(world, limit),
    answerLookupRequests: (limit = 20) => answerLookupRequests(world, limit),
  };
}

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
