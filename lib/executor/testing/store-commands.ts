import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { EVIDENCE_ANSWERS, type Event } from '../../domain/states.ts';
import type { EvidenceRow, OperationId, OperationRecord, Question, TransitionRow } from '../ports.ts';
import { EXECUTOR_EVENTS } from '../simulation/fire-event.ts';
import { claimRow, evidenceRow, KINDS, newId, versionOf, type Kind, type Subject } from './store-subject.ts';

/** Two stores that are asked the same: what one answers, the other must. */
export interface Pair {
  model: Subject;
  real: Subject;
  kind: Kind;
  ids: readonly OperationId[];
  tokens: readonly string[];
  /** What was read last of each operation, by the model's answer. */
  read: Map<number, OperationRecord>;
  questions: Map<number, { model: Question; real: Question; passed: number }>;
}

export function newPair(model: Subject, real: Subject, kind: Kind): Pair {
  return {
    model,
    real,
    kind,
    ids: [newId(), newId()],
    tokens: [randomUUID(), randomUUID(), randomUUID()],
    read: new Map(),
    questions: new Map(),
  };
}

type Ask = (subject: Subject, side: 'model' | 'real') => Promise<unknown>;

/** One call of both stores, whose answers are compared. */
class Call implements fc.AsyncCommand<Pair, Pair> {
  readonly #words: string;
  readonly #ask: (pair: Pair) => Ask;
  readonly #operation: number | null;

  constructor(words: string, operation: number | null, ask: (pair: Pair) => Ask) {
    this.#words = words;
    this.#operation = operation;
    this.#ask = ask;
  }

  check(): boolean {
    return true;
  }

  async run(pair: Pair): Promise<void> {
    const ask = this.#ask(pair);
    const said = await ask(pair.model, 'model');
    const answered = await ask(pair.real, 'real');
    assert.deepEqual(comparable(answered), comparable(said));
    if (this.#operation !== null) await remember(pair, this.#operation);
  }

  toString(): string {
    return this.#words;
  }
}

async function remember(pair: Pair, operation: number): Promise<void> {
  const id = pair.ids[operation];
  const [record] = id === undefined ? [] : await pair.model.store.read([id]);
  if (record != null) pair.read.set(operation, record);
}

/** Ids that a store chooses itself are compared by being there, instants by when they are. */
function comparable(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value: unknown) => {
      if (name === 'evidence_id' || name === 'asked_at' || name === 'first_recorded_at')
        return value !== null;
      if (name === 'wait_ms') return Math.round(Number(value) / 5_000);
      if (name === 'contract_digest' || name === 'resolved_by') return undefined;
      return value;
    }) ?? 'null',
  );
}

const idOf = (pair: Pair, operation: number): OperationId => {
  const id = pair.ids[operation];
  if (id === undefined) throw new Error(`no operation ${operation}`);
  return id;
};

const operation = fc.nat({ max: 1 });
const token = fc.nat({ max: 2 });

const claim = fc.tuple(operation, token, fc.boolean()).map(
  ([of, with_, send]) =>
    new Call(`claim ${of} with ${with_}, ${send ? 'sent' : 'unsent'}`, of, (pair) => {
      const isApproval = pair.kind === 'approved';
      const row = claimRow(pair.kind, idOf(pair, of), {
        lease_token: pair.tokens[with_] ?? '',
        downstream_request_id: pair.tokens[with_] ?? '',
        send: send && !isApproval,
        request_fingerprint: `one of ${pair.ids[0]?.operation_key}`,
        ...(isApproval && { into: 'awaiting_approval', approval_required: true }),
      });
      return ({ store }) => store.claim([row]);
    }),
);

const events = EXECUTOR_EVENTS.filter((event) => event !== 'accept');
const transition = fc
  .record({
    of: operation,
    event: fc.constantFrom<Event[]>(...events, 'accept', 'apply', 'doubt', 'acquire', 'expire'),
    with_: token,
    send: fc.boolean(),
    ended: fc.boolean(),
    stale: fc.boolean(),
    retry: fc.constantFrom(0, 10_000),
  })
  .map(
    ({ of, event, with_, send, ended, stale, retry }) =>
      new Call(
        `${event} ${of} with ${with_}${stale ? ', stale' : ''}${ended ? '' : ', not ended'}`,
        of,
        (pair) => {
          const seen = pair.read.get(of);
          const row: TransitionRow = {
            ...idOf(pair, of),
            trace: {},
            lease_token: pair.tokens[with_] ?? '',
            lease_owner: `worker ${with_}`,
            send,
            ended,
            retry_after_ms: retry,
            reason: event === 'refuse' ? 'refused' : 'no_answer',
            effect_reference: `receipt of ${with_}`,
            response: { id: with_ },
            provider_job_id: `job of ${with_}`,
            downstream_request_id: pair.tokens[with_] ?? '',
            version: (seen?.version ?? 1) - (stale ? 1 : 0),
            attempt: seen?.attempt ?? 1,
          };
          return ({ store }) => store.transition(event, [row]);
        },
      ),
  );

const evidence = fc
  .record({
    of: operation,
    answer: fc.constantFrom(...EVIDENCE_ANSWERS),
    source: fc.constantFrom<EvidenceRow['source'][]>('lookup', 'lookup', 'job', 'late_answer', 'person'),
    authoritative: fc.boolean(),
    reference: fc.nat({ max: 1 }),
    early: fc.boolean(),
  })
  .map(
    ({ of, answer, source, authoritative, reference, early }) =>
      new Call(
        `${source} ${of}: ${authoritative ? 'authoritative ' : ''}${answer}${early ? ', asked earlier' : ''}`,
        of,
        (pair) => {
          const seen = pair.read.get(of);
          const question = pair.questions.get(of);
          const change: Partial<EvidenceRow> = {
            answer,
            source,
            authoritative: authoritative && answer !== 'failed',
            ...(answer === 'found' && {
              effect_reference: `receipt of ${reference}`,
              response: { id: reference },
            }),
            ...(source === 'job' && { names_attempt: seen?.sent_attempt ?? 1 }),
            version: seen?.version ?? 1,
            attempt: seen?.attempt ?? 1,
          };
          return (subject, side) => {
            const asked =
              early && question !== undefined
                ? { asked_at: subject.instant(question[side].asked_at, question.passed) }
                : {};
            return subject.store.recordEvidence([evidenceRow(idOf(pair, of), { ...change, ...asked })]);
          };
        },
      ),
  );

const take = fc.constantFrom(5, 20).map(
  (seconds) =>
    new Call(`take for ${seconds} s`, null, (pair) => async (subject, side) => {
      const taken = await subject.store.takeReconcilable([versionOf(pair.kind)], 100, seconds);
      const ours = taken.filter((question) =>
        pair.ids.some((id) => id.operation_key === question.operation_key),
      );
      for (const [of, id] of pair.ids.entries()) {
        const question = ours.find((one) => one.operation_key === id.operation_key);
        const known = pair.questions.get(of);
        if (question === undefined) continue;
        if (side === 'model')
          pair.questions.set(of, { model: question, real: question, passed: subject.passed() });
        else if (known !== undefined) known.real = question;
      }
      return ours.toSorted((a, b) => (a.operation_key < b.operation_key ? -1 : 1));
    }),
);

const heartbeat = fc.tuple(operation, token).map(
  ([of, with_]) =>
    new Call(`heartbeat ${of} with ${with_}`, of, (pair) => {
      const row = { ...idOf(pair, of), lease_token: pair.tokens[with_] ?? '' };
      return ({ store }) => store.heartbeat([row]);
    }),
);

const duties = fc.constantFrom('expiredLeases', 'abandonable', 'pastRetention').map(
  (duty) =>
    new Call(duty, null, (pair) => async ({ store }) => {
      const due = await store[duty as 'expiredLeases'](10_000);
      return pair.ids.filter((id) => due.some((one) => one.operation_key === id.operation_key));
    }),
);

const read = operation.map(
  (of) =>
    new Call(
      `read ${of}`,
      of,
      (pair) =>
        ({ store }) =>
          store.read([idOf(pair, of)]),
    ),
);

const pass = fc
  .constantFrom(3, 12, 25, 60, 210, 650, 5_100, 10_100)
  .map((seconds) => new Call(`${seconds} s pass`, null, () => (subject) => subject.pass(seconds)));

/** Sequences of calls on two operations of one request, by three workers, a reconciler and time. */
export const storeCommands = (size: number) =>
  fc.commands(
    [claim, transition, transition, evidence, evidence, take, heartbeat, duties, read, pass, pass],
    {
      maxCommands: size,
    },
  );

export const anyKind: fc.Arbitrary<Kind> = fc.constantFrom(...(Object.keys(KINDS) as Kind[]));
