import { NotSent, type EffectAnswer, type LookupAnswer } from '../tool.ts';

/** What the simulated downstream is, and what its contract may rely on. */
export interface DownstreamNature {
  /** One effect per key, for as long as it remembers the key. */
  deduplicates: boolean;
  /** Counted from the effect; milliseconds. */
  remembersMs: number;
  /** It makes the effect only if the target has the version that the request expects. */
  conditional: boolean;
}

interface Effect {
  key: string;
  reference: string;
  at: number;
  /** False while the index that lookups read lags behind. */
  indexed: boolean;
}

/** How a request that has arrived fares. */
export const FATES = ['done', 'indexed_late', 'processed_slowly', 'refused', 'not_now'] as const;
export type Fate = (typeof FATES)[number];

/** A request on its way. It outlives the worker that wrote it. */
export interface WireRequest {
  id: string;
  actor: string;
  key: string;
  /** Past it, in milliseconds of the database clock, nothing of this request can arrive, commit or stay unindexed. */
  deadline: number;
  state: 'on_wire' | 'processing' | 'answered' | 'over';
  answer: EffectAnswer | null;
  reply: (answer: EffectAnswer) => void;
  fail: (error: Error) => void;
}

/**
 * A downstream that tells the truth: requests arrive late or never, replies are lost, its index lags and it may take
 * its time, all within the settle window that its contract states. It counts its effects by key.
 */
export class Downstream {
  readonly requests: WireRequest[] = [];
  readonly effects: Effect[] = [];
  readonly #refused = new Set<string>();
  readonly #nature: DownstreamNature;

  constructor(nature: DownstreamNature) {
    this.#nature = nature;
  }

  effectsOf(key: string): Effect[] {
    return this.effects.filter((effect) => effect.key === key);
  }

  /** The request reaches the downstream, which decides its fate. */
  arrive(request: WireRequest, fate: Fate, at: number): void {
    const there = this.effectsOf(request.key);
    const remembered = there.find((effect) => at <= effect.at + this.#nature.remembersMs);
    if (this.#nature.deduplicates && remembered !== undefined)
      return this.#answer(request, done(remembered.reference));
    if (
      this.#nature.deduplicates &&
      this.requests.some((r) => r.key === request.key && r.state === 'processing')
    )
      return this.#answer(request, { kind: 'in_progress' });
    if (this.#nature.conditional && this.effects.length > 0)
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
      case 'done':
      case 'indexed_late':
        this.commit(request, at, fate === 'done');
    }
  }

  /** What was being processed takes effect. */
  commit(request: WireRequest, at: number, indexed = true): void {
    const reference = `receipt of ${request.id}`;
    this.effects.push({ key: request.key, reference, at, indexed });
    this.#answer(request, done(reference));
  }

  lookup(key: string): LookupAnswer {
    const found = this.effectsOf(key).find((effect) => effect.indexed);
    if (found !== undefined)
      return { answer: 'found', reference: found.reference, record: { id: found.reference, value: 'v' } };
    if (this.requests.some((r) => r.key === key && r.state === 'processing')) return { answer: 'pending' };
    return this.#refused.has(key) ? { answer: 'refused', because: 'not possible' } : { answer: 'absent' };
  }

  /** Time is up for what is past its deadline: what is on the wire is lost, what is processed is done, and indexed. */
  pass(at: number): void {
    for (const request of this.requests) {
      if (request.deadline >= at) continue;
      if (request.state === 'on_wire') request.state = 'over';
      if (request.state === 'processing') this.commit(request, request.deadline);
      for (const effect of this.effects)
        if (effect.reference === `receipt of ${request.id}`) effect.indexed = true;
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
    const requests = this.requests.map((r) => `${r.id} ${r.state} ${r.answer?.kind ?? ''}`).sort();
    const effects = this.effects.map((e) => `${e.reference} ${e.at} ${e.indexed}`).sort();
    return `${requests.join()}|${effects.join()}|${[...this.#refused].sort().join()}`;
  }

  #answer(request: WireRequest, answer: EffectAnswer): void {
    request.state = 'answered';
    request.answer = answer;
  }
}

const done = (reference: string): EffectAnswer => ({
  kind: 'done',
  answer: { id: reference, value: 'v' },
});
