import { checkApplied, checkEffects, checkNothingRevealed, textOf, words } from '../checks.ts';
import { needs, type FaultRow, type Timing } from '../row.ts';
import type { Operation, Stage } from '../stage.ts';

function revokeEverywhere(stage: Stage, { context }: Operation): void {
  for (const worker of [stage.near, stage.far]) worker.revoke(context.actor.id);
}

async function checkDenied(stage: Stage, operation: Operation): Promise<string> {
  const denied = await stage.far.deliver(operation.args, operation.context).outcome;
  stage.check(`the retry is denied, not ${words(denied)}`, words(denied) === 'rejected/unauthorized');
  checkNothingRevealed(stage, denied);
  return words(denied);
}

/** The answers of the policy in the trace, oldest first: `phase: allowed or denied`. */
const decisions = async (stage: Stage, operation: Operation) => ({
  authorization: (await stage.trace(operation)).flatMap(({ steps }) =>
    steps
      .filter(({ step }) => step === 'authorized')
      .map(
        ({ detail }) =>
          `${textOf(detail?.['phase'])}: ${detail?.['allowed'] === true ? 'allowed' : 'denied'}`,
      ),
  ),
});

const revokedAfter: Timing = {
  name: 'revoked after the first call was applied',
  play: async (stage) => {
    const operation = await stage.operation();
    const first = await stage.settle(operation);
    revokeEverywhere(stage, operation);
    const denied = await checkDenied(stage, operation);
    await checkApplied(stage, operation);
    return { observed: `${words(first)}, then ${denied}`, evidence: await decisions(stage, operation) };
  },
};

const revokedBetween: Timing = {
  name: 'revoked between the claim and the effect',
  play: async (stage) => {
    const operation = await stage.operation();
    const first = stage.near.deliver(operation.args, operation.context, 'after_claim');
    await stage.near.stands(operation.key);
    revokeEverywhere(stage, operation);
    stage.near.resume(operation.key);
    const outcome = await first.outcome;
    stage.check(
      `the claim's own call is denied, not ${words(outcome)}`,
      words(outcome) === 'rejected/unauthorized',
    );
    const denied = await checkDenied(stage, operation);
    await checkEffects(stage, operation, 0);
    return { observed: `${words(outcome)}, then ${denied}`, evidence: await decisions(stage, operation) };
  },
};

const revokedAfterNotNow: Timing = {
  name: 'revoked after a first attempt that provably did nothing',
  missing: needs('notNow'),
  play: async (stage) => {
    const operation = await stage.operation();
    await stage.inject.notNow(operation.downstreamKey);
    const first = await stage.near.deliver(operation.args, operation.context).outcome;
    revokeEverywhere(stage, operation);
    await stage.pause();
    const denied = await checkDenied(stage, operation);
    await checkEffects(stage, operation, 0);
    const requests = (await stage.downstream.received?.(operation.downstreamKey)) ?? 1;
    stage.check(`one request arrived, not ${requests}`, requests === 1);
    return { observed: `${words(first)}, then ${denied}`, evidence: await decisions(stage, operation) };
  },
};

/** Nobody waits for thirty days: the row's times are moved back by the contract's retention. */
const late = (name: string, tombstone: boolean): Timing => ({
  name,
  play: async (stage) => {
    const operation = await stage.operation();
    await stage.settle(operation);
    await stage.age(operation, stage.contract.retention_seconds + 1);
    if (tombstone)
      await stage.untilState(operation, (state) => state.tombstoned_at !== null, 'the tombstone');
    const requests = await stage.downstream.received?.(operation.downstreamKey);
    const outcome = await stage.far.deliver(operation.args, operation.context).outcome;
    const policy = stage.contract.late_arrival;
    const documented: Record<typeof policy, readonly string[]> = {
      reject: ['rejected/expired_operation'],
      tombstone: ['replayed'],
      reconcile_first: ['replayed', 'rejected/expired_operation'],
    };
    stage.check(
      `the policy ${policy} is followed, not ${words(outcome)}`,
      documented[policy].includes(words(outcome)),
    );
    stage.check(
      'nothing more is sent',
      (await stage.downstream.received?.(operation.downstreamKey)) === requests,
    );
    await checkApplied(stage, operation);
    const state = await stage.state(operation);
    if (tombstone) stage.check('the tombstone keeps the reference', state?.effect_reference !== undefined);
    return {
      observed: `${words(outcome)} by the policy ${policy}`,
      evidence: {
        late_arrival: policy,
        retention_seconds: stage.contract.retention_seconds,
        time: 'moved back by the retention',
        expires_at: state?.expires_at ?? null,
        tombstoned_at: state?.tombstoned_at ?? null,
      },
    };
  },
});

export const rightsAndTime: FaultRow[] = [
  {
    id: 'T1.7',
    scenario: 'Authorization is revoked between attempts',
    expected: 'Retry is denied even if the key exists',
    asks: 'Authorization decision and no new effect',
    timings: [revokedAfter, revokedBetween],
  },
  {
    id: 'T1.8',
    scenario: 'Key arrives after retention expires',
    expected: 'Behavior follows the documented late-arrival policy; do not silently duplicate',
    asks: 'Expiration and reconciliation record',
    timings: [late('right after it', false), late('after the tombstone', true)],
  },
  {
    id: 'T2.7',
    scenario: 'Permission revoked before retry',
    expected: 'Reject before the effect',
    asks: 'Current authorization decision',
    timings: [revokedAfterNotNow, revokedBetween],
  },
  {
    id: 'T2.8',
    scenario: 'Key arrives after retention',
    expected: 'Follow documented late-arrival policy',
    asks: 'Tombstone, rejection, or reconciliation',
    timings: [late('after the tombstone', true)],
  },
];
