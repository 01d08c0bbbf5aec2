import { checkApplied, checkRecovered, checkTrace, kindsOf, textOf, words } from '../checks.ts';
import { needs, type FaultRow, type Timing } from '../row.ts';
import type { Operation, Stage } from '../stage.ts';
import { MALFORMATIONS, type Malformation } from '../subject.ts';
import { until } from '../until.ts';

/** The effect happens and its answer never comes whole; the caller delivers again. */
async function playLost(
  stage: Stage,
  where: string,
  inject: (operation: Operation) => Promise<void>,
): Promise<{ observed: string; evidence: { fault_location: string; because: string } }> {
  const operation = await stage.operation();
  await inject(operation);
  const first = await stage.near.deliver(operation.args, operation.context).outcome;
  stage.check(
    `the first answer claims nothing, not ${words(first)}`,
    ['in_flight', 'unknown'].includes(first.status),
  );
  await checkTrace(stage, operation, 'doubt');
  await stage.pause();
  const last = await stage.settle(operation, stage.far);
  await checkRecovered(stage, operation);
  const doubt = (await stage.trace(operation)).find(({ kind }) => kind === 'doubt');
  return {
    observed: `${words(first)}, then ${words(last)}`,
    evidence: { fault_location: where, because: textOf(doubt?.detail['because']) },
  };
}

const dropped: Timing = {
  name: 'the connection breaks after the commit',
  missing: needs('drop'),
  play: (stage) =>
    playLost(stage, 'after the commit, before a byte of the answer', ({ downstreamKey: key }) =>
      stage.inject.drop(key),
    ),
};

const silent: Timing = {
  name: 'the answer does not come within the call budget',
  missing: needs('silence'),
  play: (stage) =>
    playLost(stage, 'after the commit, beyond the call budget', ({ downstreamKey: key }) =>
      stage.inject.silence(key),
    ),
};

/** A second delivery is there before the first one knows that its answer is lost. */
const overtaken: Timing = {
  name: 'a second delivery arrives while the answer is held, then the call budget ends',
  missing: needs('hold'),
  play: async (stage) => {
    const operation = await stage.operation();
    const hold = await stage.inject.hold(operation.downstreamKey, 'after_commit');
    const first = stage.near.deliver(operation.args, operation.context);
    await until(hold.reached, 'the request at the downstream');
    const second = await stage.far.deliver(operation.args, operation.context).outcome;
    stage.check(`the second delivery waits, not ${words(second)}`, second.status === 'in_flight');
    const lost = await first.outcome;
    stage.check(
      `the first answer claims nothing, not ${words(lost)}`,
      ['in_flight', 'unknown'].includes(lost.status),
    );
    await hold.release();
    const last = await stage.settle(operation, stage.far);
    await checkRecovered(stage, operation);
    return {
      observed: `${words(second)} meanwhile, ${words(lost)} at the budget's end, then ${words(last)}`,
      evidence: { requests: (await stage.downstream.received?.(operation.downstreamKey)) ?? null },
    };
  },
};

const malformed = (how: Malformation): Timing => ({
  name: `the answer is ${how.replaceAll('_', ' ')}`,
  missing: (downstream) =>
    needs('malform')(downstream) ??
    ((downstream.malformations ?? MALFORMATIONS).includes(how)
      ? null
      : `this tool's contract does not notice an answer that is ${how.replaceAll('_', ' ')}`),
  play: (stage) =>
    playLost(stage, `the answer is ${how.replaceAll('_', ' ')}`, ({ downstreamKey: key }) =>
      stage.inject.malform(key, how),
    ),
});

/** Refused for good is no doubt: the only answer after which "it did not happen" is proved. */
const refused: Timing = {
  name: 'refused for good, and delivered again',
  missing: needs('refuse'),
  play: async (stage) => {
    const operation = await stage.operation();
    await stage.inject.refuse(operation.downstreamKey);
    const first = await stage.near.deliver(operation.args, operation.context).outcome;
    await stage.pause();
    const second = await stage.far.deliver(operation.args, operation.context).outcome;
    for (const outcome of [first, second])
      stage.check(`a refusal is told as one, not ${words(outcome)}`, words(outcome) === 'rejected/refused');
    const effects = await stage.effects(operation);
    stage.check(`no effect, not ${effects.length}`, effects.length === 0);
    stage.check(
      'it is refused once',
      (await kindsOf(stage, operation)).filter((kind) => kind === 'refuse').length === 1,
    );
    return { observed: `${words(first)}, then ${words(second)}`, evidence: { classification: 'refused' } };
  },
};

/** Not now is no doubt either: the same call goes on, and makes one effect. */
const notNow: Timing = {
  name: 'not now, and delivered again',
  missing: needs('notNow'),
  play: async (stage) => {
    const operation = await stage.operation();
    await stage.inject.notNow(operation.downstreamKey);
    const first = await stage.near.deliver(operation.args, operation.context).outcome;
    const last = await stage.settle(operation, stage.far);
    await checkApplied(stage, operation);
    return { observed: `${words(first)}, then ${words(last)}`, evidence: { classification: 'not now' } };
  },
};

export const lostAnswers: FaultRow[] = [
  {
    id: 'T1.2',
    scenario: 'Same key, same fingerprint, first response is lost',
    expected: 'Retry replays or downstream deduplicates',
    asks: 'Fault location plus receipt',
    timings: [dropped, silent],
  },
  {
    id: 'T1.10',
    scenario: 'Tool result is malformed or incomplete',
    expected: 'Mark the outcome as failed or unknown; never infer success from a timeout',
    asks: 'Raw-safe response and classification',
    timings: [...MALFORMATIONS.map(malformed), silent, refused, notNow],
  },
  {
    id: 'T2.2',
    scenario: 'Response dropped after downstream commit',
    expected: 'Replay by downstream key or reconcile by receipt',
    asks: 'No blind second call',
    timings: [dropped, overtaken],
  },
];
