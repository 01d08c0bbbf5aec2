import { checkEffects, words } from '../checks.ts';
import type { Contract } from '../../executor/index.ts';
import { needs, type FaultRow } from '../row.ts';
import type { Operation, Stage } from '../stage.ts';
import type { FakeDownstream } from '../subject.ts';

const needsVersion = (downstream: FakeDownstream, contract: Contract): string | null =>
  contract.version_condition === undefined
    ? 'the contract has no version condition'
    : needs('changeTarget')(downstream);

async function checkKept(stage: Stage, operation: Operation): Promise<{ [name: string]: string | null }> {
  await checkEffects(stage, operation, 0);
  const state = await stage.state(operation);
  stage.check(`the record ends failed_permanent, not ${state?.status}`, state?.status === 'failed_permanent');
  const checked = (await stage.trace(operation)).flatMap(({ steps }) =>
    steps.filter(({ detail }) => detail?.['check'] === 'target_version'),
  );
  return {
    reason: state?.reason ?? null,
    target_version_check:
      checked.length === 0
        ? 'left to the downstream'
        : checked.map(({ detail }) => (detail?.['holds'] === true ? 'held' : 'stale')).join(', '),
  };
}

export const versions: FaultRow[] = [
  {
    id: 'T3.1',
    scenario: 'The target’s version changed before the send',
    expected: 'Reject; the newer change stays',
    asks: 'Version check and no effect',
    timings: [
      {
        name: 'somebody else changes the target before the delivery',
        missing: needsVersion,
        play: async (stage) => {
          const operation = await stage.operation();
          await stage.inject.changeTarget(operation.args);
          const outcome = await stage.settle(operation);
          stage.check(`it is rejected, not ${words(outcome)}`, outcome.status === 'rejected');
          return { observed: words(outcome), evidence: await checkKept(stage, operation) };
        },
      },
      {
        name: 'somebody else changes the target after the claim, before the check',
        missing: needsVersion,
        play: async (stage) => {
          const operation = await stage.operation();
          const first = stage.near.deliver(operation.args, operation.context, 'after_claim');
          await stage.near.stands(operation.key);
          await stage.inject.changeTarget(operation.args);
          stage.near.resume(operation.key);
          const outcome = await first.outcome;
          stage.check(`it is rejected, not ${words(outcome)}`, outcome.status === 'rejected');
          return { observed: words(outcome), evidence: await checkKept(stage, operation) };
        },
      },
    ],
  },
  {
    id: 'T3.2',
    scenario: 'The target’s version changed between check and send',
    expected: 'The downstream refuses by its own condition; the newer change stays',
    asks: 'Version check, refusal and no effect',
    timings: [
      {
        name: 'somebody else changes the target after every check, before the request',
        missing: needsVersion,
        play: async (stage) => {
          const operation = await stage.operation();
          const first = stage.near.deliver(operation.args, operation.context, 'before_send');
          await stage.near.stands(operation.key);
          await stage.inject.changeTarget(operation.args);
          stage.near.resume(operation.key);
          const outcome = await first.outcome;
          stage.check(
            `it is rejected as refused, not ${words(outcome)}`,
            words(outcome) === 'rejected/refused',
          );
          return { observed: words(outcome), evidence: await checkKept(stage, operation) };
        },
      },
    ],
  },
];
