import type { Actor } from './actors.ts';
import { NotSent, type EffectAnswer, type LookupAnswer } from '../tool.ts';

/** What the simulated downstream is, and what its contract may rely on. */
export interface DownstreamNature {
  /** One effect per key, for as long as it remembers the key. */
  deduplicates: boolean;
  /** Counted from the effect; milliseconds. */
  remembersMs: number;
  /** It makes the effect only if the target has the version that the request expects. */
  conditional: boolean;
  /** It may answer with a job that takes so long, in milliseconds; null where it never does. */
  jobMs: number | null;
}

interface Effect {
  key: string;
  reference: string;
  at: number;
  /** False while the index that lookups read lags behind. */
  indexed: boolean;
}

/** How a request that has arrived fares. */
export const FATES = ['done', 'indexed_late', 'processed_slowly', 'accepted', 'refused', 'not_now'] as const;
export type Fate = (typeof FATES)[number];

/** A request on its way. It outlives the worker that wrote it. */
export interface WireRequest {
  id: string;
  actor: Actor;
  /** False once the process that wrote it is dead. */
  heard: boolean;
  key: string;
  /** Past it, in milliseconds of the database clock, nothing of this request can arrive, commit or stay unindexed. */
  deadline: number;
  state: 'on_wire' | 'processing' | 'answered' | 'over';
  answer: EffectAnswer | null;
  reply: (answer: EffectAnswer) => void;
  fail: (error: Error) => void;
}

/** Work that the downstream has taken on. */
export interface Job {
  id: string;
  key: string;
  deadline: number;
  isOpen: boolean;
}

/**
 * A downstream that tells the truth: requests arrive late or never, replies are lost, its index lags and it may take
 * its time, all within the settle window that its contract states. It counts its effects by key.
 */
export class Downstream {
  readonly requests: WireRequest[] = [];
  readonly effects: Effect[] = [];
  readonly jobs: Job[] = [];
  readonly nature: DownstreamNature;
  readonly #refused = new Set<string>();

  constructor(nature: DownstreamNature) {
    this.nature = nature;
  }

  effectsOf(key: string): Effect[] {
    return this.effects.filter((effect) => effect.key === key);
  }

  /** The request reaches the downstream, which decides its fate. */
  arrive(request: WireRequest, fate: Fate, at: number): void {
    const { deduplicates, conditional, remembersMs, jobMs } = this.nature;
    const remembered = this.effectsOf(request.key).find((effect) => at <= effect.at + remembersMs);
    if (deduplicates && remembered !== undefined) return this.#answer(request, done(remembered.reference));
    if (deduplicates && this.#isAtWork(request.key)) return this.#answer(request, { kind: 'in_progress' });
    if (conditional && this.effects.length > 0)
      return this.#answer(request, { kind: 'refused', code: 'version_changed' });
    switch (fate) {
      case 'refused':
        this.#refused.add(request.key);
        return this.#answer(request, { kind: 'refused', code: 'not_possible' });
      case 'not_now':
        return this.#answer(request, { kind: 'not_now', retryAfterSeconds: 1 });
      case 'processed_slowly':
        request.state = 'processing';
        return;
      case 'accepted': {
        const job = {
          id: `job of ${request.id}`,
          key: request.key,
          deadline: at + (jobMs ?? 0),
          isOpen: true,
        };
        this.jobs.push(job);
        return this.#answer(request, { kind: 'accepted', jobId: job.id });
      }
      case 'done':
      case 'indexed_late':
        this.commit(request, at, fate === 'done');
    }
  }

  /** What was being processed takes effect. */
  commit(request: WireRequest, at: number, indexed = true): void {
    const reference = referenceOf(request);
    this.effects.push({ key: request.key, reference, at, indexed });
    this.#answer(request, done(reference));
  }

  /** A job ends: with its effect, or refused. */
  endJob(job: Job, at: number, isDone: boolean): void {
    job.isOpen = false;
    if (isDone) this.effects.push({ key: job.key, reference: referenceOf(job), at, indexed: true });
    else this.#refused.add(job.key);
  }

  lookup(key: string): LookupAnswer {
    const found = this.effectsOf(key).find((effect) => effect.indexed);
    if (found !== undefined)
      return { answer: 'found', reference: found.reference, record: { id: found.reference, value: 'v' } };
    if (this.#isAtWork(key)) return { answer: 'pending' };
    return this.#refused.has(key) ? { answer: 'refused', because: 'not possible' } : { answer: 'absent' };
  }

  pollJob(id: string | null): LookupAnswer {
    const job = this.jobs.find((one) => one.id === id);
    if (job === undefined) return { answer: 'absent' };
    if (job.isOpen) return { answer: 'pending' };
    const reference = referenceOf(job);
    return this.effects.some((effect) => effect.reference === reference)
      ? { answer: 'found', reference, record: { id: reference, value: 'v' } }
      : { answer: 'refused', because: 'the job failed' };
  }

  /** Time is up for what is past its deadline: what is on the wire is lost, what is processed is done, and indexed. */
  pass(at: number): void {
    for (const job of this.jobs) if (job.isOpen && job.deadline < at) this.endJob(job, job.deadline, true);
    for (const request of this.requests) {
      if (request.deadline >= at) continue;
      if (request.state === 'on_wire') request.state = 'over';
      if (request.state === 'processing') this.commit(request, request.deadline);
      for (const effect of this.effects) if (effect.reference === referenceOf(request)) effect.indexed = true;
    }
  }

  lose(request: WireRequest): void {
    request.state = 'over';
    request.fail(new Error('the connection was reset'));
  }

  refuseConnection(request: WireRequest): void {
    request.state = 'over';
    request.fail(new NotSent('connection refused'));
  }

  reply(request: WireRequest): void {
    request.state = 'over';
    if (request.answer !== null) request.reply(request.answer);
  }

  /** The whole state, for comparison. */
  state(): string {
    const requests = this.requests.map((r) => `${r.id} ${r.state} ${r.heard} ${r.answer?.kind ?? ''}`).sort();
    const effects = this.effects.map((e) => `${e.reference} ${e.at} ${e.indexed}`).sort();
    const jobs = this.jobs.map((j) => `${j.id} ${j.deadline} ${j.isOpen}`).sort();
    return [requests, effects, jobs, [...this.#refused].sort()].map((part) => part.join()).join('|');
  }

  #isAtWork(key: string): boolean {
    return (
      this.requests.some((r) => r.key === key && r.state === 'processing') ||
      this.jobs.some((job) => job.key === key && job.isOpen)
    );
  }

  #answer(request: WireRequest, answer: EffectAnswer): void {
    request.state = 'answered';
    request.answer = answer;
  }
}

const referenceOf = ({ id }: { id: string }) => `receipt of ${id}`;
const done = (reference: string): EffectAnswer => ({ kind: 'done', answer: { id: reference, value: 'v' } });
