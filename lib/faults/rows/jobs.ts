import { checkApplied, checkEffects, checkTrace, kindsOf, words } from '../checks.ts';
import { needs, type FaultRow, type Timing } from '../row.ts';
import type { Operation, Stage } from '../stage.ts';
import type { Contract } from '../../executor/index.ts';
import type { FakeDownstream } from '../subject.ts';

const needsJobs = (downstream: FakeDownstream, contract: Contract): string | null =>
  contract.job_seconds === undefined
    ? 'the downstream of this tool performs at once, without a job'
    : needs('jobs', 'holdJob', 'endJob')(downstream);

const CHANGES = ['claim', 'acquire', 'accept', 'expire', 'doubt', 'settle_found', 'settle_refused', 'apply'];
const jobEvidence = async (stage: Stage, operation: Operation) => ({
  provider_job_id: (await stage.state(operation))?.provider_job_id ?? null,
  transitions: (await kindsOf(stage, operation)).filter((kind) => CHANGES.includes(kind)),
});

async function checkOneJob(stage: Stage, operation: Operation): Promise<void> {
  const jobs = (await stage.downstream.jobs?.(operation.downstreamKey)) ?? [];
  stage.check(`one job was submitted, not ${jobs.length}`, jobs.length === 1);
  const state = await stage.state(operation);
  if (state?.provider_job_id !== null && state !== null)
    stage.check('the record names it', jobs[0] === state.provider_job_id);
}

const delivered = (name: string, as: 'succeeded' | 'failed'): Timing => ({
  name,
  missing: needsJobs,
  play: async (stage) => {
    const operation = await stage.operation();
    await stage.inject.holdJob(operation.downstreamKey);
    const first = await stage.near.deliver(operation.args, operation.context).outcome;
    stage.check(`the accepted job is in flight, not ${words(first)}`, words(first) === 'in_flight/job');
    const again = await Promise.all(
      [stage.near, stage.far, stage.far].map(
        (worker) => worker.deliver(operation.args, operation.context).outcome,
      ),
    );
    stage.check(
      'every repetition polls',
      again.every((outcome) => words(outcome) === 'in_flight/job'),
    );
    await checkEffects(stage, operation, 0);
    await stage.inject.endJob(operation.downstreamKey, as);
    const last = await stage.settle(operation, stage.far);
    await checkTrace(stage, operation, 'accept', 1);
    await checkOneJob(stage, operation);
    if (as === 'succeeded') await checkApplied(stage, operation);
    else {
      await checkEffects(stage, operation, 0);
      const state = await stage.state(operation);
      stage.check(
        `a failed job ends failed_permanent, not ${state?.status}`,
        state?.status === 'failed_permanent',
      );
    }
    return {
      observed: `${words(first)} while the job runs, then ${words(last)}`,
      evidence: await jobEvidence(stage, operation),
    };
  },
});

/** The provider has the job and its worker never wrote its id down: the same key must find that one job. */
const killed: Timing = {
  name: 'killed with -9 before the job id is recorded',
  missing: needsJobs,
  play: async (stage) => {
    const operation = await stage.operation();
    const victim = await stage.victim();
    victim.deliver(operation.args, operation.context, 'before_record');
    await victim.stands(operation.key);
    await victim.kill();
    await stage.pause();
    const last = await stage.settle(operation);
    await checkTrace(stage, operation, 'expire');
    await checkOneJob(stage, operation);
    await checkApplied(stage, operation);
    return { observed: `lease expired, then ${words(last)}`, evidence: await jobEvidence(stage, operation) };
  },
};

export const jobs: FaultRow[] = [
  {
    id: 'T1.9',
    scenario: 'Downstream returns a delayed job',
    expected: 'Return in_flight and poll by the operation key',
    asks: 'Job receipt and status transitions',
    timings: [
      delivered('delivered again while the job runs; the job succeeds', 'succeeded'),
      delivered('delivered again while the job runs; the job fails', 'failed'),
    ],
  },
  {
    id: 'T2.9',
    scenario: 'Downstream returns a delayed job',
    expected: 'Store provider job ID and poll',
    asks: 'No duplicate job submission',
    timings: [killed, delivered('delivered again while the job runs', 'succeeded')],
  },
];
