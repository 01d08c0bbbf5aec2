import { checkEffects, checkRecovered, checkTrace, kindsOf, words } from '../checks.ts';
import { needs, type FaultRow, type Timing } from '../row.ts';
import type { Operation, Stage } from '../stage.ts';
import { until } from '../until.ts';

const reconciliation = async (stage: Stage, operation: Operation) => ({
  reconciliation: (await kindsOf(stage, operation)).filter(
    (kind) =>
      ['expire', 'looked_up', 'late_evidence', 'resend', 'give_up', 'acquire', 'accept'].includes(kind) ||
      kind.startsWith('settle_'),
  ),
});

const killedBeforeRecord: Timing = {
  name: 'killed with -9 after the answer, before the record',
  play: async (stage) => {
    const operation = await stage.operation();
    const victim = await stage.victim();
    victim.deliver(operation.args, operation.context, 'before_record');
    await victim.stands(operation.key);
    await victim.kill();
    await stage.pause();
    const last = await stage.settle(operation);
    await checkTrace(stage, operation, 'expire');
    await checkRecovered(stage, operation);
    return {
      observed: `lease expired, then ${words(last)}`,
      evidence: await reconciliation(stage, operation),
    };
  },
};

const killedAfterCommit: Timing = {
  name: 'killed with -9 after the commit, while the answer is held',
  missing: needs('hold'),
  play: async (stage) => {
    const operation = await stage.operation();
    const hold = await stage.inject.hold(operation.downstreamKey, 'after_commit');
    const victim = await stage.victim();
    victim.deliver(operation.args, operation.context);
    await until(hold.reached, 'the request at the downstream');
    await victim.kill();
    await hold.release();
    const last = await stage.settle(operation);
    await checkTrace(stage, operation, 'expire');
    await checkRecovered(stage, operation);
    return {
      observed: `lease expired, then ${words(last)}`,
      evidence: await reconciliation(stage, operation),
    };
  },
};

const killedAfterSend: Timing = {
  name: 'killed with -9 after the send; the downstream commits after that',
  missing: needs('hold'),
  play: async (stage) => {
    const operation = await stage.operation();
    const hold = await stage.inject.hold(operation.downstreamKey, 'before_commit');
    const victim = await stage.victim();
    victim.deliver(operation.args, operation.context);
    await until(hold.reached, 'the request at the downstream');
    await victim.kill();
    await stage.pause();
    await hold.release();
    const last = await stage.settle(operation);
    await checkTrace(stage, operation, 'expire');
    await checkRecovered(stage, operation);
    return {
      observed: `lease expired, then ${words(last)}`,
      evidence: await reconciliation(stage, operation),
    };
  },
};

/** A machine that slept: the worker wakes after others have recovered its operation, and still holds the answer. */
const sleptBeforeRecord: Timing = {
  name: 'stopped after the answer beyond the lease, others recover, then it goes on',
  play: async (stage) => {
    const operation = await stage.operation();
    const victim = await stage.victim();
    const first = victim.deliver(operation.args, operation.context, 'before_record');
    await victim.stands(operation.key);
    victim.stop();
    const recovered = await stage.settle(operation);
    victim.resume(operation.key);
    victim.cont();
    const late = await first.outcome;
    await checkTrace(stage, operation, 'expire');
    // its receipt is evidence, which settles what was still in doubt
    const state = await stage.state(operation);
    const isJob = state?.provider_job_id !== null;
    await checkEffects(stage, operation, 1);
    stage.check(`the record ends applied, not ${state?.status}`, state?.status === 'applied');
    stage.check('the record is not contradicted', state?.contradicted === false);
    if (!isJob) await checkTrace(stage, operation, 'late_evidence');
    return {
      observed: `${words(recovered)} for the others, ${words(late)} for the sleeper`,
      evidence: await reconciliation(stage, operation),
    };
  },
};

/** A worker that has claimed and is gone: what it left is somebody's, and comes to an end. */
async function playAfterClaim(stage: Stage, sleepFirst: boolean) {
  const operation = await stage.operation();
  const victim = await stage.victim();
  victim.deliver(operation.args, operation.context, 'after_claim');
  await victim.stands(operation.key);
  const left = await stage.state(operation);
  if (sleepFirst) victim.stop();
  else await victim.kill();
  stage.check('what it left names its owner', left?.lease_owner === victim.name);
  stage.check('and becomes a case by itself', left?.is_case === true);
  await stage.pause();
  const last = await stage.settle(operation);
  await victim.kill();
  await checkTrace(stage, operation, 'expire');
  const state = await stage.state(operation);
  stage.check(`it is not pending for ever: ${state?.status}`, state?.status !== 'pending');
  await checkEffects(stage, operation, state?.status === 'applied' ? 1 : 0);
  if (stage.isProvable) stage.check(`it ends applied, not ${state?.status}`, state?.status === 'applied');
  else stage.check(`it ends unknown, not ${state?.status}`, state?.status === 'unknown' && state.is_case);
  return {
    observed: `lease expired, then ${words(last)}`,
    evidence: { owner: left?.lease_owner ?? null, ...(await reconciliation(stage, operation)) },
  };
}

export const crashes: FaultRow[] = [
  {
    id: 'T1.3',
    scenario: 'Process crashes after downstream success but before local completion',
    expected: 'Recovery finds the downstream receipt or returns unknown; no blind second effect',
    asks: 'Reconciliation trace',
    timings: [killedBeforeRecord, killedAfterCommit, killedAfterSend, sleptBeforeRecord],
  },
  {
    id: 'T2.3',
    scenario: 'Process crash after pending claim',
    expected: 'Recovery discovers ownership and outcome',
    asks: 'No permanent pending record without an owner path',
    timings: [
      { name: 'killed with -9 after its claim', play: (stage) => playAfterClaim(stage, false) },
      {
        name: 'stopped after its claim beyond the lease, then killed',
        play: (stage) => playAfterClaim(stage, true),
      },
    ],
  },
];
