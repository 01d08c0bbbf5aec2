import { checkApplied, checkEffects, checkNothingRevealed, checkTrace, textOf, words } from '../checks.ts';
import type { Outcome } from '../../executor/index.ts';
import type { FaultRow, Timing } from '../row.ts';
import type { Operation, Stage } from '../stage.ts';
import type { WorkerProcess } from '../worker-process.ts';

const repeated = (name: string, again: (stage: Stage) => WorkerProcess): Timing => ({
  name,
  play: async (stage) => {
    const operation = await stage.operation();
    const first = await stage.settle(operation);
    await stage.pause();
    const second = await again(stage).deliver(operation.args, operation.context).outcome;
    stage.check(`the second call is replayed, not ${words(second)}`, second.status === 'replayed');
    stage.check('both calls name one effect', second.effect_reference === first.effect_reference);
    await checkTrace(stage, operation, 'claim', 1);
    await checkTrace(stage, operation, 'replayed');
    await checkApplied(stage, operation);
    return {
      observed: `${words(first)}, then ${words(second)}`,
      evidence: await references(stage, operation),
    };
  },
});

const references = async (stage: Stage, operation: Operation) => ({
  effect_references: await stage.effects(operation),
  request_traces: (await stage.trace(operation)).filter(({ kind }) => kind === 'claim' || kind === 'replayed')
    .length,
});

const AT_ONCE = 10;
const stampede: Timing = {
  name: `${AT_ONCE} deliveries at once over two workers`,
  play: async (stage) => {
    const operation = await stage.operation();
    const outcomes = await Promise.all(
      Array.from(
        { length: AT_ONCE },
        (_, i) => (i % 2 === 0 ? stage.near : stage.far).deliver(operation.args, operation.context).outcome,
      ),
    );
    stage.check(
      'at most one call performs it',
      outcomes.filter(({ status }) => status === 'applied').length <= 1,
    );
    stage.check(
      'every other call waits or replays',
      outcomes.every(({ status }) => ['applied', 'replayed', 'in_flight'].includes(status)),
    );
    await stage.settle(operation);
    await checkTrace(stage, operation, 'claim', 1);
    await checkApplied(stage, operation);
    return {
      observed: [...new Set(outcomes.map(words))].toSorted().join(', '),
      evidence: await references(stage, operation),
    };
  },
};

/** The same key with other material arguments, at whatever point `during` brings the first call to. */
const mismatch = (
  name: string,
  during: (stage: Stage, operation: Operation) => Promise<() => void>,
): Timing => ({
  name,
  play: async (stage) => {
    const operation = await stage.operation();
    const goOn = await during(stage, operation);
    const before = await stage.state(operation);
    const changed = stage.subject.changed(operation.args);
    const outcome = await stage.far.deliver(changed, operation.context).outcome;
    stage.check(
      `the changed call is rejected as a mismatch, not ${words(outcome)}`,
      outcome.status === 'rejected' && outcome.reason === 'fingerprint_mismatch',
    );
    checkNothingRevealed(stage, outcome);
    goOn();
    await stage.settle(operation);
    await checkApplied(stage, operation);
    const after = await stage.state(operation);
    stage.check(
      'the stored fingerprint stays',
      before !== null && before.request_fingerprint === after?.request_fingerprint,
    );
    const told = (await stage.trace(operation)).find(({ reason, detail }) =>
      [reason, detail['reason']].includes('fingerprint_mismatch'),
    )?.detail;
    const incoming = textOf(told?.['incoming_fingerprint']);
    stage.check(
      'the trace has both fingerprints',
      incoming !== '' && incoming !== after?.request_fingerprint,
    );
    return {
      observed: words(outcome),
      evidence: {
        stored_fingerprint: textOf(told?.['stored_fingerprint']),
        incoming_fingerprint: incoming,
      },
    };
  },
});

const mismatches: Timing[] = [
  mismatch('after the first call was applied', async (stage, operation) => {
    await stage.settle(operation);
    return () => {};
  }),
  mismatch('while the first call stands still after its claim', async (stage, operation) => {
    stage.near.deliver(operation.args, operation.context, 'after_claim');
    await stage.near.stands(operation.key);
    return () => stage.near.resume(operation.key);
  }),
];

/** What may come of a second operation of the same arguments that says why it is there: an effect, or a policy's no. */
const ALLOWED = ['applied', 'replayed'];
function isRefusedByPolicy({ contract }: Stage, outcome: Outcome): boolean {
  if (outcome.reason === 'precondition_failed') return true;
  // the first operation has changed the target's version
  return contract.version_condition !== undefined && outcome.reason === 'refused';
}

const newKey: Timing = {
  name: 'after the first operation was applied, with an intent event',
  play: async (stage) => {
    const first = await stage.operation();
    await stage.settle(first);
    const second = await stage.operation({ intentEvent: `asked_again_${first.context.stepId}` }, first.args);
    const outcome = await stage.settle(second, stage.far);
    const refused = isRefusedByPolicy(stage, outcome);
    stage.check(
      `it is allowed, or refused by policy, not ${words(outcome)}`,
      refused || ALLOWED.includes(outcome.status),
    );
    await checkApplied(stage, first);
    await checkEffects(
      stage,
      second,
      refused || stage.contract.effect_class === 'natural_idempotent' ? 0 : 1,
    );
    const [one, other] = [await stage.state(first), await stage.state(second)];
    stage.check('there are two records', one !== null && other !== null);
    stage.check('with one fingerprint', one?.request_fingerprint === other?.request_fingerprint);
    return {
      observed: `a second record, ${words(outcome)}`,
      evidence: { operation_keys: [first.key, second.key] },
    };
  },
};

const newIntent: Timing = {
  name: 'while the first operation stands still after its claim: first without, then with an intent event',
  missing: (_downstream, { require_intent: asks }) =>
    asks === 'never' ? 'the contract never asks for an intent event' : null,
  play: async (stage) => {
    const first = await stage.operation({ intentEvent: 'first_request' });
    stage.near.deliver(first.args, first.context, 'after_claim');
    await stage.near.stands(first.key);
    const silent = await stage.operation({}, first.args);
    const refused = await stage.far.deliver(silent.args, silent.context).outcome;
    stage.check(
      `without a new intent it is rejected as a sibling, not ${words(refused)}`,
      refused.status === 'rejected' && refused.reason === 'sibling',
    );
    checkNothingRevealed(stage, refused);
    stage.check('and leaves no record', (await stage.state(silent)) === null);
    stage.near.resume(first.key);
    await stage.settle(first);
    const meant = await stage.operation({ intentEvent: `asked_again_${first.context.stepId}` }, first.args);
    const allowed = await stage.settle(meant, stage.far);
    const barred = isRefusedByPolicy(stage, allowed);
    stage.check(
      `with one it is allowed, or refused by policy, not ${words(allowed)}`,
      barred || ALLOWED.includes(allowed.status),
    );
    await checkApplied(stage, first);
    await checkEffects(stage, silent, 0);
    await checkEffects(stage, meant, barred ? 0 : 1);
    const event = (await stage.state(meant))?.intent_event ?? null;
    stage.check('the record names the workflow event', event !== null);
    return {
      observed: `${words(refused)} without a workflow event, ${words(allowed)} with one`,
      evidence: { intent_event: event },
    };
  },
};

export const repeats: FaultRow[] = [
  {
    id: 'T1.1',
    scenario: 'Same key, same fingerprint, first call succeeds',
    expected: 'One effect; second call returns the original result',
    asks: 'One effect reference and two trace entries',
    timings: [
      repeated('again at the same worker', ({ near }) => near),
      repeated('again at another worker', ({ far }) => far),
      stampede,
    ],
  },
  {
    id: 'T1.5',
    scenario: 'Same key with changed material arguments',
    expected: 'Reject with a mismatch; perform no new effect',
    asks: 'Stored and incoming fingerprints',
    timings: mismatches,
  },
  {
    id: 'T1.6',
    scenario: 'Same arguments with a new logical operation key',
    expected: 'A new operation is allowed if policy permits it',
    asks: 'Two distinct operation records',
    timings: [newKey],
  },
  {
    id: 'T2.1',
    scenario: 'Same key and fingerprint twice',
    expected: 'One effect, then replay',
    asks: 'One effect reference and two request traces',
    timings: [repeated('again at another worker', ({ far }) => far)],
  },
  {
    id: 'T2.5',
    scenario: 'Same key with changed amount or target',
    expected: 'Reject without a new effect',
    asks: 'Stored and incoming fingerprints',
    timings: mismatches.toReversed(),
  },
  {
    id: 'T2.6',
    scenario: 'New key with same arguments',
    expected: 'New effect only when the user intent is new',
    asks: 'Explicit workflow event',
    timings: [newIntent],
  },
];
