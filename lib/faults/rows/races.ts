import { checkApplied, checkEffects, checkTrace, kindsOf, words, workersOf } from '../checks.ts';
import { needs, type FaultRow, type Timing } from '../row.ts';
import type { Operation, Stage } from '../stage.ts';
import { until } from '../until.ts';

const claims = async (stage: Stage, operation: Operation) => {
  const trace = await stage.trace(operation);
  return {
    claimed_by: workersOf(trace, 'claim'),
    leased_again_by: workersOf(trace, 'acquire'),
    others: workersOf(trace, 'in_flight', 'replayed'),
  };
};

const ROUNDS = 5;
const together: Timing = {
  name: `both stand before their claim and are let go together, ${ROUNDS} rounds`,
  play: async (stage) => {
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const operation = await stage.operation();
      const workers = [stage.near, stage.far];
      const calls = workers.map((worker) =>
        worker.deliver(operation.args, operation.context, 'before_claim'),
      );
      await Promise.all(workers.map((worker) => worker.stands(operation.key)));
      for (const worker of workers) worker.resume(operation.key);
      const outcomes = await Promise.all(calls.map(({ outcome }) => outcome));
      for (const outcome of outcomes) seen.add(words(outcome));
      stage.check(
        'at most one performs it, the other waits or replays',
        outcomes.filter(({ status }) => status === 'applied').length <= 1 &&
          outcomes.every(({ status }) => ['applied', 'in_flight', 'replayed'].includes(status)),
      );
      await stage.settle(operation);
      await checkTrace(stage, operation, 'claim', 1);
      await checkApplied(stage, operation);
    }
    const [first] = stage.operations;
    return {
      observed: [...seen].toSorted().join(', '),
      evidence: first === undefined ? {} : await claims(stage, first),
    };
  },
};

/** The first one has claimed and stands still; the second arrives; the first goes on. */
const paused: Timing = {
  name: 'the first stands still after its claim, the second arrives, the first goes on',
  play: async (stage) => {
    const operation = await stage.operation();
    const first = stage.near.deliver(operation.args, operation.context, 'after_claim');
    await stage.near.stands(operation.key);
    await stage.pause();
    const second = await stage.far.deliver(operation.args, operation.context).outcome;
    stage.check(`the second waits, not ${words(second)}`, words(second) === 'in_flight/leased');
    await checkEffects(stage, operation, 0);
    stage.near.resume(operation.key);
    const owner = await first.outcome;
    await stage.settle(operation, stage.far);
    await checkTrace(stage, operation, 'claim', 1);
    await checkApplied(stage, operation);
    return {
      observed: `${words(owner)} for the owner, ${words(second)} for the other`,
      evidence: await claims(stage, operation),
    };
  },
};

const atDownstream: Timing = {
  name: 'the second arrives while the first is at the downstream before its commit',
  missing: needs('hold'),
  play: async (stage) => {
    const operation = await stage.operation();
    const hold = await stage.inject.hold(operation.downstreamKey, 'before_commit');
    const first = stage.near.deliver(operation.args, operation.context);
    await until(hold.reached, 'the request at the downstream');
    const second = await stage.far.deliver(operation.args, operation.context).outcome;
    await hold.release();
    stage.check(`the second waits, not ${words(second)}`, words(second) === 'in_flight/leased');
    const owner = await first.outcome;
    await stage.settle(operation, stage.far);
    await checkTrace(stage, operation, 'claim', 1);
    await checkApplied(stage, operation);
    return {
      observed: `${words(owner)} for the owner, ${words(second)} for the other`,
      evidence: await claims(stage, operation),
    };
  },
};

/** The owner sleeps beyond its lease with nothing sent: whoever takes over is alone, and the sleeper sends nothing more. */
const asleep: Timing = {
  name: 'the first is stopped after its claim beyond its lease, the second takes over, the first goes on',
  play: async (stage) => {
    const operation = await stage.operation();
    const victim = await stage.victim();
    const first = victim.deliver(operation.args, operation.context, 'after_claim');
    await victim.stands(operation.key);
    victim.stop();
    const second = await stage.settle(operation, stage.far);
    const before = (await stage.effects(operation)).length;
    victim.resume(operation.key);
    victim.cont();
    const late = await first.outcome;
    await checkEffects(stage, operation, before);
    const state = await stage.state(operation);
    if (stage.isProvable) await checkApplied(stage, operation);
    else stage.check(`it stays unknown, not ${state?.status}`, state?.status === 'unknown');
    stage.check(
      'the sleeper changed nothing',
      !(await kindsOf(stage, operation)).includes('apply') ||
        workersOf(await stage.trace(operation), 'apply').every((worker) => worker !== victim.name),
    );
    return {
      observed: `${words(second)} for the second, ${words(late)} for the sleeper`,
      evidence: await claims(stage, operation),
    };
  },
};

export const races: FaultRow[] = [
  {
    id: 'T1.4',
    scenario: 'Two workers submit the same key concurrently',
    expected: 'One owns pending; the other waits or replays',
    asks: 'Unique-constraint and worker traces',
    timings: [together, paused, asleep],
  },
  {
    id: 'T2.4',
    scenario: 'Two workers claim concurrently',
    expected: 'One owner, one in-flight or replay result',
    asks: 'Unique constraint and lease trace',
    timings: [atDownstream, together],
  },
];
