import type { Authorize } from './context.ts';
import type { Contract } from './contract/contract.ts';
import type { PlainJson } from './identity/plain-json.ts';
import type { Clock, Randomness, ServedTool, Step, StepName, Store, Trace } from './ports.ts';
import type { Sealing } from './sealing.ts';
import { LookupFailed, type Tool } from './tool.ts';
import type { OperationContext } from './context.ts';

/** What every part of the executor works with: the ports, the policy and the tools that this process holds. */
export interface World {
  store: Store;
  clock: Clock;
  random: Randomness;
  authorize: Authorize;
  /** By `name` and `name@version`; the bare name is the version that new operations take. */
  tools: ReadonlyMap<string, Tool>;
  /** Names this process in leases and traces. */
  worker: string;
  /** What this process serves: nothing of another environment is asked about, sent or settled here. */
  environments: readonly string[];
  deploy: string | null;
  /** Keys the per-field digests of the trace; without it a mismatch shows the fingerprints alone. */
  fieldDigestKey: Uint8Array | null;
  /** Keys of what is stored sealed. */
  sealing: Sealing | null;
  /** Tools that this process keeps from running by themselves, whatever their contracts allow; by name. */
  stricter: Readonly<Record<string, 'automate_with_approval' | 'manual'>>;
  /** Told what goes wrong beside an answer; never with payloads. */
  warn: (message: string, error: unknown) => void;
}

export const toolOf = (world: World, name: string, version: string): Tool | undefined =>
  world.tools.get(`${name}@${version}`);

/** The tool that may ask about operations of this version: its own, or a newer one whose contract says that it reconciles them. */
export const reconcilerOf = (world: World, name: string, version: string): Tool | undefined => {
  const held = toolOf(world, name, version);
  if (held !== undefined) return held;
  const newest = world.tools.get(name);
  return newest?.contract.supersedes?.[version] === 'reconcile' ? newest : undefined;
};

/** Is the tool kept manual, by its contract or by this process? */
export const isManual = (world: World, { contract }: Tool): boolean =>
  contract.decision === 'manual' || world.stricter[contract.name] === 'manual';

/** The claim and the send are one commit, unless the contract asks for a commit of its own. */
export const sendsWithClaim = ({ send_commit: commit }: Contract): boolean => commit !== 'own';

/** Does this process ask for an approval that the contract does not? */
export const isStricter = (world: World, tool: string): boolean =>
  world.stricter[tool] === 'automate_with_approval';

/** @throws {TypeError} for a delivery of an environment that this process does not serve: nothing is read or done */
export function assertServed({ environments }: World, environment: string): void {
  if (!environments.includes(environment))
    throw new TypeError(
      `this process serves ${environments.join(', ')}, not ${environment}; name it in createExecutor's environments`,
    );
}

/** A tool version in each environment that this process serves. */
export const served = (world: World, versions: readonly { name: string; version: string }[]): ServedTool[] =>
  versions.flatMap((version) => world.environments.map((environment) => ({ ...version, environment })));

/**
 * What may be stored of an error: the words of one that was written for people, else its kind alone. A provider's own
 * words can hold the request.
 */
export const safeWords = (error: unknown): string => {
  if (error instanceof LookupFailed) return error.message.slice(0, 200);
  return error instanceof Error ? error.name : 'unknown error';
};

/** The telemetry of one delivery. */
export function traceOf(world: World, context: OperationContext): Trace {
  const [, traceId, spanId] =
    /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-/.exec(context.traceparent ?? '') ?? [];
  return {
    actor: context.actor.id,
    worker: world.worker,
    ...(traceId !== undefined && spanId !== undefined && { trace_id: traceId, span_id: spanId }),
    ...(context.toolCallId !== undefined && { tool_call_id: context.toolCallId }),
    ...(context.deliveryId !== undefined && { delivery_id: context.deliveryId }),
    ...(context.actor.onBehalfOf !== undefined && { detail: { on_behalf_of: context.actor.onBehalfOf } }),
  };
}

/** A step of the trace, at an instant of this process's monotonic clock. */
export interface Mark {
  step: StepName;
  at: number;
  detail?: { [name: string]: PlainJson };
}

/** Steps for a statement that is issued now. */
export const stepsOf = (world: World, marks: readonly Mark[]): Step[] =>
  marks.map(({ at, ...mark }) => ({ ...mark, ms_ago: Math.max(0, world.clock.now() - at) }));

/** Full jitter over a doubling backoff, in milliseconds (AWS Builders' Library, "Timeouts, retries, and backoff"). */
export function backoffMs(world: World, contract: Contract, attempt: number): number {
  const ceiling = contract.attempts.backoff_seconds * 1000 * 2 ** Math.min(attempt - 1, 6);
  return Math.ceil(ceiling * (0.5 + world.random.fraction() / 2));
}
