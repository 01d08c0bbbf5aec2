import { createExecutor, type Executor } from '../create-executor.ts';
import type { ContractRow } from '../ports.ts';
import { defineTool, type EffectAnswer, type InputSchema, type Tool } from '../tool.ts';
import { ACTORS, type Actor } from './actors.ts';
import type { Configuration } from './configurations.ts';
import { simulatedStore } from './simulated-store.ts';
import { StoreModel } from './store-model.ts';
import type { Downstream } from './downstream.ts';

/** The schedule that is on: what the ports of its processes do. */
export interface Running {
  readonly now: number;
  readonly store: StoreModel;
  readonly downstream: Downstream;
  call<T>(actor: Actor, label: string, perform: () => T): Promise<T>;
  after(actor: Actor, ms: number, call: () => void): () => void;
  uuid(actor: Actor): string;
  fraction(): number;
  write(actor: Actor, key: string, requestId: string): Promise<EffectAnswer>;
}

const SEALING = { current: 'k', keys: { k: new Uint8Array(32) } };

/**
 * The executor's real code, one instance for each process of the simulation, over ports that belong to whichever
 * schedule is on. An executor keeps nothing between calls, so one serves every schedule of its configuration.
 */
export class Stage {
  readonly configuration: Configuration;
  readonly executors: ReadonlyMap<Actor, Executor>;
  readonly contracts: readonly ContractRow[];
  #on: Running | null = null;

  private constructor(
    configuration: Configuration,
    contracts: ContractRow[],
    executors: Map<Actor, Executor>,
  ) {
    this.configuration = configuration;
    this.contracts = contracts;
    this.executors = executors;
  }

  static async open(configuration: Configuration): Promise<Stage> {
    const contracts: ContractRow[] = [];
    const executors = new Map<Actor, Executor>();
    const stage = new Stage(configuration, contracts, executors);
    for (const actor of ACTORS) executors.set(actor, await stage.#executor(actor));
    return stage;
  }

  set on(schedule: Running) {
    this.#on = schedule;
  }

  get #schedule(): Running {
    if (this.#on === null) throw new Error('no schedule is on');
    return this.#on;
  }

  async #executor(actor: Actor): Promise<Executor> {
    const registering = new StoreModel(() => 0);
    const store = simulatedStore(
      () => this.#schedule.store,
      (label, perform) => this.#schedule.call(actor, label, perform),
    );
    return await createExecutor({
      environments: ['production'],
      store: {
        ...store,
        registerContracts: async (rows) => {
          if (this.contracts.length === 0) (this.contracts as ContractRow[]).push(...rows);
          return rows.map((row) => registering.registerContract(row));
        },
      },
      merge: false, // each call is a choice of the schedule
      tools: [this.#tool(actor)],
      worker: actor,
      sealing: SEALING,
      clock: {
        now: () => this.#schedule.now,
        after: (ms, call) => this.#schedule.after(actor, ms, call),
      },
      random: {
        uuid: () => this.#schedule.uuid(actor),
        fraction: () => this.#schedule.fraction(),
      },
      authorize: ({ phase }) =>
        this.#schedule.call(actor, `authorize ${phase}`, () => ({ allowed: true, policyVersion: '1' })),
    });
  }

  #tool(actor: Actor): Tool {
    const { contract } = this.configuration;
    return defineTool<unknown>({
      contract,
      input: anything,
      // it ignores its signal: what arrives after the budget is late evidence
      effect: (call) => this.#schedule.write(actor, call.downstreamKey, call.requestId),
      ...(contract.lookup !== undefined && {
        lookup: ({ downstreamKey }) =>
          this.#schedule.call(actor, 'lookup', () => this.#schedule.downstream.lookup(downstreamKey)),
      }),
      ...(contract.job_seconds !== undefined && {
        pollJob: ({ providerJobId }) =>
          this.#schedule.call(actor, 'pollJob', () => this.#schedule.downstream.pollJob(providerJobId)),
      }),
    });
  }
}

const anything: InputSchema<unknown> = {
  '~standard': { version: 1, vendor: 'simulation', validate: (value) => ({ value }) },
};
