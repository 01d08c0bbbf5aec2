import type { TraceRow } from '../../db/queries/tool_operation_events/read-trace.ts';
import type { Outcome } from '../executor/index.ts';
import type { Operation, Stage } from './stage.ts';

/** Text of the trace's details; empty where there is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `applied`, or `rejected/sibling`. */
export const words = ({ status, reason }: Outcome) => (reason === undefined ? status : `${status}/${reason}`);

/** Exactly so many effects, by the downstream's own counter. */
export async function checkEffects(stage: Stage, operation: Operation, count: number): Promise<void> {
  const effects = await stage.effects(operation);
  stage.check(
    `${count} effect${count === 1 ? '' : 's'} downstream, not ${effects.length}`,
    effects.length === count,
  );
}

/** One effect; the record is applied, and its receipt is the one that the downstream counted. */
export async function checkApplied(stage: Stage, operation: Operation): Promise<void> {
  await checkEffects(stage, operation, 1);
  const state = await stage.state(operation);
  stage.check(`the record ends applied, not ${state?.status}`, state?.status === 'applied');
  stage.check('nothing contradicts the record', state?.contradicted === false);
  if (stage.contract.receipt?.required !== true) return;
  const [counted] = await stage.effects(operation);
  stage.check(
    `the receipt ${state?.effect_reference} is the counted ${counted}`,
    state?.effect_reference === counted,
  );
}

/**
 * An effect that happened and whose answer was lost: applied with its receipt where the contract has means to prove it,
 * else unknown; one effect either way, and no second request where the downstream does not deduplicate.
 */
export async function checkRecovered(stage: Stage, operation: Operation): Promise<void> {
  if (stage.isProvable) await checkApplied(stage, operation);
  else {
    await checkEffects(stage, operation, 1);
    const state = await stage.state(operation);
    stage.check(`the record ends unknown, not ${state?.status}`, state?.status === 'unknown');
    stage.check('the unknown is a case, with an owner', state?.is_case === true);
  }
  await checkNoBlindSecond(stage, operation);
}

/** What is sent again goes to a downstream that makes one effect of it, or was proved absent, or is harmless by its version. */
async function checkNoBlindSecond(stage: Stage, operation: Operation): Promise<void> {
  const { received } = stage.downstream;
  if (received === undefined || stage.capabilities.resend !== 'never') return;
  const requests = await received(operation.downstreamKey);
  const trace = await kindsOf(stage, operation);
  stage.check(
    `${requests} requests arrived; each after the first is after conclusive absence`,
    requests <= 1 + trace.filter((kind) => kind === 'settle_absent').length,
  );
}

export async function checkTrace(
  stage: Stage,
  operation: Operation,
  kind: string,
  times?: number,
): Promise<void> {
  const found = (await kindsOf(stage, operation)).filter((one) => one === kind).length;
  stage.check(
    times === undefined ? `the trace has ${kind}` : `the trace has ${kind} ${times} times, not ${found}`,
    times === undefined ? found > 0 : found === times,
  );
}

export const kindsOf = async (stage: Stage, operation: Operation): Promise<string[]> =>
  (await stage.trace(operation)).map(({ kind }) => kind);

/** Nothing of the stored operation is in the answer. */
export function checkNothingRevealed(stage: Stage, outcome: Outcome): void {
  stage.check(
    'the answer reveals nothing stored',
    outcome.effect_reference === null && outcome.result === null && outcome.successor_key === undefined,
  );
}

/** The workers that made rows of this kind, in order. */
export const workersOf = (trace: readonly TraceRow[], ...kinds: string[]): string[] =>
  trace.filter(({ kind }) => kinds.includes(kind)).map(({ worker }) => worker ?? '');
