import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createExecutor, type Executor } from '../create-executor.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { defineTool, type EffectAnswer } from '../tool.ts';
import { CONFIGURATIONS } from './configurations.ts';
import { simulatedStore } from './simulated-store.ts';
import { StoreModel } from './store-model.ts';

/**
 * The executor's code against the simplest model there is: a step has an effect once, or not at all, and everybody is
 * told the same of it. Commands are begun in order; a scheduler decides in which order everything they wait for goes on.
 */
const RUNS = 1_000;
const STEPS = ['step', 'other'] as const;
const reached = new Set<string>();

interface Model {
  begun: number;
}
interface Real {
  executors: readonly Executor[];
  store: StoreModel;
  effects: Map<string, string[]>;
  answers: { step: string; outcome: Outcome }[];
  /** What the next requests meet. */
  faults: string[];
  pass: (seconds: number) => void;
}

type Command = fc.AsyncCommand<Model, Real>;
const command = (words: string, run: (real: Real) => void): Command => ({
  check: () => true,
  run: async (model, real) => {
    model.begun += 1;
    run(real);
  },
  toString: () => words,
});

const commands = fc.commands(
  [
    fc.tuple(fc.nat({ max: 1 }), fc.constantFrom(...STEPS)).map(([worker, step]) =>
      command(`worker ${worker} is delivered ${step}`, (real) => {
        void real.executors[worker]
          ?.execute(
            'simulated.act',
            { value: 'v' },
            {
              tenantId: 'acme',
              environment: 'production',
              workflowId: 'run',
              stepId: step,
              actor: { id: 'agent' },
            },
          )
          .then((outcome) => real.answers.push({ step, outcome }));
      }),
    ),
    fc
      .constantFrom('lost', 'refused', 'not_now', 'lost')
      .map((fault) => command(`a request will be ${fault}`, (real) => void real.faults.push(fault))),
    fc.constantFrom(1, 3, 6, 25).map((seconds) => command(`${seconds} s pass`, (real) => real.pass(seconds))),
    fc.constant(command('recover', (real) => void real.executors[0]?.recover())),
    fc
      .constantFrom(0, 1)
      .map((worker) =>
        command(`worker ${worker} reconciles`, (real) => void real.executors[worker]?.reconcile()),
      ),
  ],
  { maxCommands: 14 },
);

async function open(configuration: (typeof CONFIGURATIONS)[number], s: fc.Scheduler): Promise<Real> {
  let now = 1_000;
  const store = new StoreModel(() => now);
  const effects = new Map<string, string[]>();
  const faults: string[] = [];
  const { contract, downstream } = configuration;
  const call = async <T>(label: string, perform: () => T): Promise<T> => {
    await s.schedule(Promise.resolve(), label);
    return perform();
  };
  const effect = async (key: string): Promise<EffectAnswer> => {
    const fault = faults.shift();
    await s.schedule(Promise.resolve(), 'the request arrives');
    if (fault === 'refused') return { kind: 'refused', code: 'no' };
    if (fault === 'not_now') return { kind: 'not_now', retryAfterSeconds: 1 };
    const made = effects.get(key) ?? [];
    if (made.length === 0 || !downstream.deduplicates) made.push(`receipt ${made.length + 1} of ${key}`);
    effects.set(key, made);
    await s.schedule(Promise.resolve(), 'the answer comes back');
    if (fault === 'lost') throw new Error('the connection was reset');
    return { kind: 'done', answer: { id: made.at(-1), value: 'v' } };
  };
  const tool = defineTool<unknown>({
    contract,
    input: { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } },
    effect: ({ downstreamKey }) => effect(downstreamKey),
    ...(contract.lookup !== undefined && {
      lookup: ({ downstreamKey }) =>
        call('lookup', () => {
          const reference = effects.get(downstreamKey)?.[0];
          return reference === undefined
            ? { answer: 'absent' as const }
            : { answer: 'found' as const, reference, record: { id: reference, value: 'v' } };
        }),
    }),
  });
  const executors: Executor[] = [];
  for (const worker of ['a', 'b'])
    executors.push(
      await createExecutor({
        environments: ['production'],
        store: {
          ...simulatedStore(() => store, call),
          registerContracts: async (rows) => rows.map((row) => store.registerContract(row)),
        },
        merge: false, // the scheduler is the one that lets calls go
        tools: [tool],
        worker,
        authorize: async () => ({ allowed: true, policyVersion: '1' }),
        // nothing here runs over its budget: that is the simulation's
        clock: { now: () => now, after: () => () => {} },
        random: { uuid: newUuid(worker), fraction: () => 0.5 },
      }),
    );
  return { executors, store, effects, answers: [], faults, pass: (seconds) => (now += seconds * 1_000) };
}

const newUuid = (worker: string) => {
  let n = 0;
  return () => `${worker}.${(n += 1)}`;
};

function agree({ store, effects, answers }: Real): void {
  for (const row of store.rows.values()) {
    reached.add(`${row.status}/${row.pending_reason ?? ''}`);
    const made = effects.get(row.operation_key) ?? [];
    expect(made.length).toBeLessThanOrEqual(1);
    if (row.status === 'applied') expect(made).toEqual([row.effect_reference]);
    if (row.status === 'failed_permanent') expect(made).toEqual([]);
    if (row.status === 'pending' && made.length > 0) expect(row.doubt_attempt).not.toBeNull();
  }
  for (const { outcome } of answers) {
    reached.add(outcome.status);
    if (outcome.status === 'applied' || outcome.status === 'replayed')
      expect(effects.get(outcome.operation_key)).toEqual([outcome.effect_reference]);
    if (outcome.safe_to_repeat) expect(outcome.status).toBe('rejected');
  }
}

const SIMPLE = CONFIGURATIONS.filter(({ name }) =>
  ['keyed', 'keyed-blind', 'looked-up', 'advisory', 'blind', 'irreversible', 'own-send'].includes(name),
);

test(`[S42] ${RUNS} model-based runs under a scheduler agree with the model, and reach every state`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SIMPLE), commands, fc.scheduler(), async (configuration, cmds, s) => {
      const real = await open(configuration, s);
      await fc.scheduledModelRun(s, () => ({ model: { begun: 0 }, real }), cmds);
      await s.waitIdle();
      agree(real);
    }),
    { numRuns: RUNS },
  );
  for (const state of [
    'applied',
    'replayed',
    'in_flight',
    'rejected',
    'unknown',
    'applied/',
    'failed_permanent/',
    'unknown/',
    'pending/ready',
    'pending/recovering',
  ])
    expect([...reached]).toContain(state);
}, 120_000);
