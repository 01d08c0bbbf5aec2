import { randomBytes, randomUUID, createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { operationKey, type Outcome } from '../../executor/index.ts';
import { AnswerLost, type Crew } from './crew.ts';
import type { Journal, Progress } from './journal.ts';
import type { Delivery } from './messages.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { nextMove } from './next-move.ts';
import type { Arguments, Step } from './plan/step.ts';
import type { ResolvedWatch } from './resolved.ts';

/** What agents share. */
export type AgentWorld = {
  crew: Crew;
  journal: Journal;
  misbehaviour: Misbehaviour;
  watch: ResolvedWatch;
  /** Divides the agents' own pauses, never those that an answer asks for. */
  pace: number;
  signal: AbortSignal;
  /** Told whenever a step's progress changed. */
  changed: (step: Step, progress: Progress) => void;
  /** The receipt of a step, once it has one; null when it ends without. */
  receiptOf: (number: number) => Promise<string | null>;
};

const LOST_ANSWER_WAIT_MS = 1_500;
/** Longer than a contract waits for a lookup that is down. */
const LOOKUP_DOWN_AT_MOST_MS = 60_000;
const ON_THE_WIRE_FAULT = 'delay=400';

/**
 * Follows one step from where it stands to its end: delivers it, does what the answers say, delivers it again when an
 * answer is lost, and, where the plan says so, once more after the end. Settles at the end, or when the workload stops.
 */
export async function followStep(world: AgentWorld, step: Step, begun: Progress): Promise<void> {
  const agent = new Agent(world, step, begun);
  try {
    await agent.follow();
  } catch (error) {
    if (!world.signal.aborted) throw error;
  }
}

class Agent {
  readonly #world: AgentWorld;
  readonly #step: Step;
  readonly #key: string;
  #progress: Progress;
  #arguments: Arguments;
  #worker: string | undefined;

  constructor(world: AgentWorld, step: Step, begun: Progress) {
    this.#world = world;
    this.#step = step;
    this.#key = operationKey(step);
    this.#progress = begun;
    this.#arguments = step.arguments;
  }

  async follow(): Promise<void> {
    const { ticketOf, trouble } = this.#step;
    if (ticketOf !== null) {
      const ticket = await this.#world.receiptOf(ticketOf);
      if (ticket === null) return this.#save({ stage: 'over' });
      this.#arguments = { ...this.#arguments, ticket_id: ticket };
    }
    if (this.#progress.stage === 'open') {
      await this.#arrange();
      if (trouble?.kind === 'invalid_arguments' && this.#progress.deliveries === 0)
        await this.#deliver(trouble.arguments);
      await this.#deliverToTheEnd();
      await this.#world.misbehaviour.retire(this.#key);
      this.#save({ stage: 'after' });
    }
    await this.#deliverAfterwards();
    this.#save({ stage: 'over' });
  }

  /** Makes what is to go wrong ready before the first delivery; afterwards it has happened. */
  async #arrange(): Promise<void> {
    const { misbehaviour } = this.#world;
    const { tool, trouble } = this.#step;
    const isNew = this.#progress.deliveries === 0;
    if (trouble?.kind === 'fault' && (isNew || trouble.times === null))
      await misbehaviour.arrange(this.#key, tool, trouble.fault, trouble.times);
    if (trouble?.kind === 'kill' && trouble.at === 'on_the_wire' && isNew)
      await misbehaviour.arrange(this.#key, tool, ON_THE_WIRE_FAULT, 1);
    if (trouble?.kind === 'lookup_down' && (isNew || this.#progress.last?.status === 'in_flight')) {
      if (isNew) await misbehaviour.arrange(this.#key, tool, trouble.fault, 1);
      await misbehaviour.holdLookupDown(this.#key);
      sleep(LOOKUP_DOWN_AT_MOST_MS, undefined, { signal: this.#world.signal, ref: false })
        .then(() => misbehaviour.releaseLookup(this.#key))
        .catch(() => {});
    }
  }

  async #deliverToTheEnd(): Promise<void> {
    const { signal, misbehaviour, watch } = this.#world;
    for (let looks = 0; ;) {
      const outcome = await this.#deliverSurely(this.#arguments);
      const next = nextMove(outcome, looks);
      if (next.move === 'end') return;
      if (next.move === 'use_successor') {
        // a key that a person closed brings its successor; anything that is to go wrong has gone wrong
        await misbehaviour.retire(this.#key);
        this.#save({ successorKey: next.key });
      } else if (next.move === 'wait') {
        await sleep(next.forMs, undefined, { signal });
      } else {
        looks += 1;
        await misbehaviour.retire(this.#key);
        await misbehaviour.releaseLookup(this.#key);
        await this.#untilResolved(watch, next.forMs);
      }
    }
  }

  async #untilResolved(watch: ResolvedWatch, forMs: number): Promise<void> {
    const { signal } = this.#world;
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const key = this.#progress.successorKey ?? this.#key;
    const resolved = watch.resolved(this.#step.tenantId, key, either);
    await Promise.race([resolved, sleep(forMs, undefined, { signal: either }).catch(() => {})]);
    stop.abort();
    signal.throwIfAborted();
  }

  /** The workflow resumes from a checkpoint, or the model proposes the step again, rightly or wrongly remembered. */
  async #deliverAfterwards(): Promise<void> {
    const { pace, signal } = this.#world;
    const { duplicateAfterMs, trouble } = this.#step;
    if (duplicateAfterMs !== null) {
      await sleep(duplicateAfterMs / pace, undefined, { signal });
      await this.#deliverSurely(this.#arguments);
    }
    if (trouble?.kind === 'other_arguments') {
      await sleep(LOST_ANSWER_WAIT_MS / pace, undefined, { signal });
      await this.#deliverSurely({ ...this.#arguments, ...trouble.arguments });
    }
  }

  /** Delivers until there is an answer: a lost one says nothing, and the same step is delivered again. */
  async #deliverSurely(args: Arguments): Promise<Outcome> {
    while (true) {
      const outcome = await this.#deliver(args);
      if (outcome !== null) return outcome;
      await sleep(LOST_ANSWER_WAIT_MS, undefined, { signal: this.#world.signal });
    }
  }

  async #deliver(args: Arguments): Promise<Outcome | null> {
    const { crew, signal } = this.#world;
    const { trouble, twin } = this.#step;
    signal.throwIfAborted();
    const kill = trouble?.kind === 'kill' && !this.#progress.killed ? trouble.at : undefined;
    const isTwin = twin && this.#progress.deliveries === 0;
    this.#save({ deliveries: this.#progress.deliveries + 1, ...(kill !== undefined && { killed: true }) });
    const first = crew.deliver(this.#delivery(args, kill), this.#worker);
    const second = isTwin ? crew.deliver(this.#delivery(args), this.#worker) : undefined;
    const [answered, copy] = await Promise.allSettled([first, second]);
    signal.throwIfAborted();
    if (answered.status === 'rejected' && !(answered.reason instanceof AnswerLost)) throw answered.reason;
    const told = [answered, copy].flatMap((one) =>
      one.status === 'fulfilled' && one.value !== undefined ? [one.value] : [],
    );
    const best = told.find(({ outcome }) => outcome.effect_reference !== null) ?? told[0];
    if (best === undefined) return null;
    this.#worker = best.worker;
    const { status, reason = null, effect_reference: reference } = best.outcome;
    this.#save({
      last: { status, reason, at: new Date().toISOString() },
      reference: reference ?? this.#progress.reference,
    });
    return best.outcome;
  }

  #delivery(args: Arguments, pauseAt?: Delivery['pauseAt']): Delivery {
    const { tenantId, environment, workflowId, stepId, actor, tool, intentEvent, businessReference } =
      this.#step;
    const { successorKey } = this.#progress;
    const traceId = createHash('sha256').update(`${tenantId}/${workflowId}`).digest('hex').slice(0, 32);
    return {
      tool,
      arguments: args,
      context: {
        tenantId,
        environment,
        workflowId,
        stepId,
        actor: { id: actor },
        intentEvent,
        businessReference,
        ...(successorKey !== null && { successorKey }),
        toolCallId: `call_${randomBytes(9).toString('base64url')}`,
        deliveryId: randomUUID(),
        traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
      },
      ...(pauseAt !== undefined && { pauseAt }),
    };
  }

  #save(change: Partial<Progress>): void {
    this.#progress = { ...this.#progress, ...change };
    this.#world.journal.save(this.#step.number, this.#progress);
    this.#world.changed(this.#step, this.#progress);
  }
}
