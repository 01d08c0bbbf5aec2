import type { Outcome } from '../../domain/outcome.ts';
import { operationKey } from '../identity/operation-key.ts';
import type { OperationContext } from '../context.ts';
import type { OperationRecord, TransitionAnswer } from '../ports.ts';
import type { EffectAnswer } from '../tool.ts';
import { Downstream, type WireRequest } from './downstream.ts';
import type { Actor } from './actors.ts';
import type { Running, Stage } from './stage.ts';
import { StoreModel } from './store-model.ts';
import { storedContract, type StoredRow } from './stored-row.ts';

/** A call of a port that waits to be performed. */
export interface PendingCall {
  actor: Actor;
  label: string;
  perform: () => unknown;
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

interface Timer {
  actor: Actor;
  at: number;
  call: () => void;
}

/** One process: what it is at, and everything that it has observed since it started. */
export interface Process {
  generation: number;
  busy: boolean;
  ids: number;
  history: number;
}

/** How often a schedule may still do what is not plain progress. */
export interface Budget {
  deliveries: number;
  crashes: number;
  /** Replies and statements of the store that are lost, lookups that fail. */
  faults: number;
  /** Requests that fare otherwise than well. */
  fates: number;
  jumps: number;
  recoveries: number;
  reconciliations: number;
  decisions: number;
  approvals: number;
}

/** What every schedule of one exploration shares. */
export interface Exploration {
  budget: Budget;
  /** Uniform in [0, 1), for the executor's own randomness. */
  fraction: () => number;
  /** Counts a state that must be reached sometimes. */
  seen: (state: string) => void;
  /** Every step is told in words. */
  traced: boolean;
  /** Numbers equal texts equally; null where nothing is compared. */
  intern: ((text: string) => number) | null;
}

/** Ports that change nothing and whose answer depends on nothing shared: no other order of them can be told apart. */
const UNSCHEDULED: ReadonlySet<string> = new Set([
  'addEvents',
  'readContracts',
  'dutyRan',
  'authorize delivery',
  'authorize replay',
]);

/** Calls of which the row before says more than the answer. */
const COMPARED: ReadonlySet<string> = new Set(['recordEvidence', 'acquire', 'give_up']);

/** Sealed text is random, and differs where nothing differs. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (name, part: unknown) => (name === 'request_sealed' ? undefined : part));

const CONTEXT: OperationContext = {
  tenantId: 'acme',
  environment: 'production',
  workflowId: 'run',
  stepId: 'step',
  actor: { id: 'agent' },
};
const ARGUMENTS = { value: 'v' };
const ARGUMENTS_WITH_VERSION = { value: 'v', expected_version: 1 };

export class SimulationError extends Error {
  override readonly name = 'SimulationError';
}

/** The state of one run: ports with what waits at them, the store, the downstream, the clock, and who is at work. */
export class Schedule implements Running {
  /** The database clock and every worker's monotonic one, in milliseconds: a stalled worker's clock goes on. */
  now = 1_000;
  readonly store: StoreModel;
  readonly downstream: Downstream;
  readonly calls: PendingCall[] = [];
  readonly processes = new Map<Actor, Process>();
  readonly budget: Budget;
  readonly trace: string[] = [];
  /** Keys whose verdict a second person took on: people may be wrong. */
  readonly onTrust = new Set<string>();
  timers: Timer[] = [];
  /** What a person has read and not decided yet. */
  reading: OperationRecord | null = null;
  readonly #stage: Stage;
  readonly #exploration: Exploration;
  readonly #seen = new Set<string>();
  readonly #quietUntil = new Map<string, number>();

  constructor(stage: Stage, exploration: Exploration) {
    this.#stage = stage;
    this.#exploration = exploration;
    this.budget = { ...exploration.budget };
    this.store = new StoreModel(() => this.now);
    this.downstream = new Downstream(stage.configuration.downstream);
    for (const row of stage.contracts)
      this.store.contracts.set(`${row.name}@${row.version}`, storedContract(row));
    for (const actor of stage.executors.keys())
      this.processes.set(actor, { generation: 0, busy: false, ids: 0, history: 0 });
    stage.on = this;
  }

  get contract() {
    return this.#stage.configuration.contract;
  }

  process(actor: Actor): Process {
    const process = this.processes.get(actor);
    if (process === undefined) throw new SimulationError(`no process ${actor}`);
    return process;
  }

  seen(state: string): void {
    this.#seen.add(state);
    this.#exploration.seen(state);
  }

  hasSeen(state: string): boolean {
    return this.#seen.has(state);
  }

  passUntil(at: number): void {
    this.now = at;
    this.downstream.pass(at);
  }

  /** A port is called: its answer waits until the schedule says that it is performed. */
  call<T>(actor: Actor, label: string, perform: () => T): Promise<T> {
    if (UNSCHEDULED.has(label)) return Promise.resolve(perform());
    return new Promise<T>((resolve, reject) => {
      this.calls.push({ actor, label, perform, resolve: resolve as (answer: unknown) => void, reject });
    });
  }

  after(actor: Actor, ms: number, call: () => void): () => void {
    const timer = { actor, at: this.now + ms, call };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  tell(words: () => string): void {
    if (this.#exploration.traced) this.trace.push(words());
  }

  uuid(actor: Actor): string {
    const process = this.process(actor);
    return `${actor}.${process.generation}.${++process.ids}`;
  }

  fraction(): number {
    return this.#exploration.fraction();
  }

  /** A request is written to the wire. It may arrive until the settle window of its attempt is over. */
  write(actor: Actor, key: string, requestId: string): Promise<EffectAnswer> {
    const quietUntil = this.#quietUntil.get(requestId);
    if (quietUntil === undefined) throw this.#fails(`${requestId} was sent without a durable claim`);
    if (this.now > quietUntil) throw this.#fails(`${requestId} was written after its call budget`);
    if (actor.startsWith('reconciler')) this.seen('sent by recovery');
    const deadline = quietUntil + this.contract.downstream.settle_seconds * 1000;
    return new Promise((reply, fail) => {
      const request: WireRequest = {
        id: requestId,
        actor,
        heard: true,
        key,
        deadline,
        state: 'on_wire',
        answer: null,
        reply,
        fail,
      };
      this.downstream.requests.push(request);
    });
  }

  /** Performs a waiting call; its answer reaches the caller, or only the store knows of it. */
  perform(call: PendingCall, reply: 'heard' | 'lost' | 'failed'): void {
    this.#remove(call);
    if (reply === 'failed') {
      this.observe(call.actor, `${call.label} failed`);
      return call.reject(new Error('the database is not there'));
    }
    const before = COMPARED.has(call.label) ? new Map(this.store.rows) : null;
    const answer = call.perform();
    this.#witness(call, answer);
    if (before !== null) this.#compare(call.label, before);
    if (reply === 'lost') {
      this.observe(call.actor, `${call.label} lost`);
      return call.reject(new Error('the connection died before the reply'));
    }
    this.observe(call.actor, call.label, answer);
    call.resolve(answer);
  }

  fire(timer: Timer): void {
    this.timers = this.timers.filter((other) => other !== timer);
    this.observe(timer.actor, `timer ${timer.at}`);
    timer.call();
  }

  /** What a process learns is what it does next: its code is deterministic. */
  observe(actor: Actor, label: string, answer?: unknown): void {
    const { intern } = this.#exploration;
    if (intern === null) return;
    const process = this.process(actor);
    process.history = intern(
      `${process.history} ${this.now} ${label} ${answer === undefined ? '' : textOf(answer)}`,
    );
  }

  /** kill -9: what it waits for never comes, and what it wrote goes on without it. */
  crash(actor: Actor): void {
    const process = this.process(actor);
    process.generation += 1;
    process.busy = false;
    process.ids = 0;
    process.history = 0;
    for (let i = this.calls.length - 1; i >= 0; i--)
      if (this.calls[i]?.actor === actor) this.calls.splice(i, 1);
    this.timers = this.timers.filter((timer) => timer.actor !== actor);
    for (const request of this.downstream.requests) if (request.actor === actor) request.heard = false;
  }

  isBusy(actor: Actor): boolean {
    return this.process(actor).busy;
  }

  /** The step is delivered to this worker, under the newest key that a decision made for it. */
  deliver(actor: Actor): void {
    const isSibling = this.#stage.configuration.siblings && actor === 'worker-b';
    const context: OperationContext = { ...CONTEXT, stepId: isSibling ? 'step2' : 'step' };
    const successorKey = this.#newestKey(operationKey(context));
    if (successorKey !== operationKey(context)) context.successorKey = successorKey;
    const writtenBefore = this.downstream.requests.length;
    this.observe(actor, `deliver ${successorKey}`);
    const args = this.contract.version_condition === undefined ? ARGUMENTS : ARGUMENTS_WITH_VERSION;
    this.#work(
      actor,
      this.#executor(actor)
        .execute(this.contract.name, args, context)
        .then(
          (outcome) => this.#outcome(actor, outcome),
          (error: unknown) => {
            if (error instanceof SimulationError) throw error;
            this.tell(() => `${actor} was told that the database failed`);
            if (this.downstream.requests.slice(writtenBefore).some((r) => r.actor === actor && r.heard))
              throw new SimulationError(`a delivery threw after its send: ${String(error)}`);
          },
        ),
    );
  }

  recover(actor: Actor): void {
    this.#work(actor, this.#executor(actor).recover(5).catch(databaseFailed));
  }

  reconcile(actor: Actor): void {
    this.#work(actor, this.#executor(actor).reconcile(5).catch(databaseFailed));
  }

  /** Whether one request under two keys is the same intent. */
  get siblings(): boolean {
    return this.#stage.configuration.siblings;
  }

  /** The first thing that went wrong inside a process, for the player to report. */
  failure: SimulationError | null = null;

  /** Kept, since the executor takes whatever a tool throws for an answer. */
  #fails(what: string): SimulationError {
    const error = new SimulationError(what);
    this.failure ??= error;
    return error;
  }

  #work(actor: Actor, work: Promise<unknown>): void {
    const process = this.process(actor);
    const { generation } = process;
    process.busy = true;
    const end = () => {
      if (process.generation === generation) process.busy = false;
    };
    work.then(end, (error: unknown) => {
      end();
      this.failure ??= error instanceof SimulationError ? error : new SimulationError(String(error));
    });
  }

  #executor(actor: Actor) {
    const executor = this.#stage.executors.get(actor);
    if (executor === undefined) throw new SimulationError(`no executor of ${actor}`);
    return executor;
  }

  #newestKey(first: string): string {
    let key = first;
    for (let row = this.store.rows.get(key); row?.successor_key != null; row = this.store.rows.get(key))
      key = row.successor_key;
    return key;
  }

  /** What a caller is told must be so at this moment. */
  #outcome(actor: Actor, outcome: Outcome): void {
    this.tell(
      () => `${actor} answers ${outcome.status}/${outcome.reason ?? '-'} ${outcome.effect_reference ?? ''}`,
    );
    this.seen(`answered ${outcome.status}`);
    const row = this.store.rows.get(outcome.operation_key);
    const effects = this.downstream.effectsOf(row?.downstream_key ?? outcome.operation_key);
    const fails = (what: string) => {
      throw new SimulationError(`${actor} answered ${outcome.status}, ${what}`);
    };
    if (outcome.status === 'applied' || outcome.status === 'replayed') {
      if (effects.length !== 1) fails(`with ${effects.length} effects`);
      if (effects[0]?.reference !== outcome.effect_reference) fails('with another receipt');
    }
    if (outcome.safe_to_repeat && effects.length > 0) fails('safe to repeat, and the effect is there');
  }

  #witness({ label }: PendingCall, answer: unknown): void {
    const answers = Array.isArray(answer) ? (answer as unknown[]) : [];
    for (const given of answers) {
      if (given === null || typeof given !== 'object') continue;
      const record = 'record' in given ? (given.record as OperationRecord | null) : null;
      if (record?.downstream_request_id != null && !this.#quietUntil.has(record.downstream_request_id)) {
        const row = this.store.rows.get(record.operation_key);
        if (row?.quiet_until != null) this.#quietUntil.set(record.downstream_request_id, row.quiet_until);
      }
      if ('refusal' in given) this.seen(stateName(label, given as TransitionAnswer));
      if ('claimed' in given) this.seen(given.claimed === true ? 'claimed' : 'loaded instead of claimed');
    }
    if (label === 'heartbeat') this.seen(answers[0] === true ? 'lease extended' : 'lease not revived');
  }

  /** What can be seen only from the row as it was. */
  #compare(label: string, before: ReadonlyMap<string, StoredRow>): void {
    for (const row of this.store.rows.values()) {
      const was = before.get(row.operation_key);
      if (was === undefined || was === row) continue;
      if (label === 'recordEvidence' && row.status === 'applied' && was.status !== 'applied')
        this.seen('late evidence settled');
      if (label === 'acquire' && this.hasSeen('settle_absent')) this.seen('attempted again after absence');
      if (label === 'acquire' && was.doubt_attempt !== null) this.seen('sent again in doubt');
      if (label === 'give_up' && this.contract.downstream.deduplicates) {
        const facts = this.store.facts(was);
        if (facts.keyWindow === 'shut' && !facts.recoverPassed)
          this.seen('given up since the key window is shut');
      }
      if (row.contradicted_at !== null && was.contradicted_at === null) this.seen('contradicted');
    }
  }

  #remove(call: PendingCall): void {
    const at = this.calls.indexOf(call);
    if (at === -1) throw new SimulationError(`${call.label} is not waiting`);
    this.calls.splice(at, 1);
  }
}

const stateName = (event: string, { refusal }: TransitionAnswer) =>
  refusal === null ? event : `${event} ${refusal}`;

/** A duty that the database fails ends, and the next one does its work. */
function databaseFailed(error: unknown): void {
  if (error instanceof SimulationError) throw error;
}
