import type { Facts } from '../domain/facts.ts';
import { toFacts } from '../shapes/facts.ts';
import type { OperationDetail, TraceEvent } from '../shapes/operation-record.ts';
import { reasonWords } from './reason-words.ts';
import { dayTime, millisOf, span } from './time.ts';

/** A piece of the sentence; strong pieces are what a hurried reader must not miss. */
export type SentencePart = { text: string; strong: boolean };

/** The same with its place in the whole sentence. */
export type PlacedPart = SentencePart & { at: number };

const plain = (text: string): SentencePart => ({ text, strong: false });
const strong = (text: string): SentencePart => ({ text, strong: true });

/**
 * What happened to one operation, in a few plain words with their times in UTC: how it was sent, how that ended,
 * and what is known now. Says "may have happened" for every doubt, and never more than the record proves.
 */
export function whatHappened(detail: OperationDetail): PlacedPart[] {
  const told = new Telling(detail);
  const parts = [...told.sending(), ...told.ending(), ...told.standing()];
  const whole = parts.filter((part) => part.text !== '');
  return whole.map((part, index) => ({ ...part, at: asText(whole.slice(0, index)).length }));
}

/** The same as one line of text. */
export const asText = (parts: readonly SentencePart[]) => parts.map((part) => part.text).join('');

class Telling {
  private readonly detail: OperationDetail;
  private readonly facts: Facts;
  private readonly now: number;

  constructor(detail: OperationDetail) {
    this.detail = detail;
    this.facts = toFacts(detail.facts);
    this.now = millisOf(detail.checked_at);
  }

  private at(instant: string, precise = false): string {
    return `${dayTime(instant, this.now, precise)} UTC`;
  }

  private get system(): string {
    return this.detail.contract?.system ?? this.detail.record.connector ?? 'The system of record';
  }

  private last(...kinds: string[]): TraceEvent | undefined {
    return this.detail.events.findLast((event) => kinds.includes(event.kind));
  }

  sending(): SentencePart[] {
    const { record } = this.detail;
    if (record.adopted)
      return [
        plain('Written by another executor at '),
        strong(this.at(record.created_at)),
        plain('. Nothing recorded shows whether it was sent.'),
      ];
    if (record.sent_at === null || record.first_sent_at === null)
      return [
        plain('Recorded at '),
        strong(this.at(record.created_at, true)),
        plain(' and '),
        strong('never sent'),
        plain('.'),
      ];
    const isRepeated = record.first_sent_at !== record.sent_at;
    const unsent =
      record.sent_attempt !== record.attempt ? ` Attempt ${record.attempt} has not been sent.` : '';
    return isRepeated
      ? [
          plain('First sent at '),
          strong(this.at(record.first_sent_at, true)),
          plain(`, attempt ${record.sent_attempt ?? record.attempt} at `),
          strong(this.at(record.sent_at, true)),
          plain(`.${unsent}`),
        ]
      : [plain('Sent at '), strong(this.at(record.sent_at, true)), plain(`.${unsent}`)];
  }

  ending(): SentencePart[] {
    const { record } = this.detail;
    if (this.facts.pendingReason === 'leased' && this.facts.lease === 'live')
      return [
        plain(
          ` Worker ${record.lease_owner ?? 'unknown'} holds the lease until ${record.lease_until === null ? '–' : this.at(record.lease_until)}.`,
        ),
      ];
    if (this.facts.pendingReason === 'leased' && record.lease_until !== null)
      return [
        plain(
          ` Worker ${record.lease_owner ?? 'unknown'} went silent: its lease ran out at ${this.at(record.lease_until)}.`,
        ),
      ];
    if (record.provider_job_id !== null && this.facts.pendingReason === 'accepted')
      return [
        plain(` ${this.system} accepted it as job ${record.provider_job_id}, which has not reported an end.`),
      ];
    const end = this.last('doubt', 'expire', 'apply', 'refuse', 'release');
    if (end === undefined) return [];
    return [plain(` ${this.endOf(end)}`)];
  }

  private endOf(end: TraceEvent): string {
    const { record } = this.detail;
    const after =
      record.attempt_ended_at !== null && record.sent_at !== null && record.sent_attempt === record.attempt
        ? ` after ${span(millisOf(record.attempt_ended_at) - millisOf(record.sent_at))}`
        : '';
    switch (end.kind) {
      case 'doubt':
        if (end.reason === 'unreadable_answer') return `An answer came${after} and could not be read.`;
        if (end.reason === 'wrong_receipt') return `An answer came${after} that does not match the request.`;
        return `No answer${after}${causeOf(end)}.`;
      case 'expire': {
        const worker = this.detail.events.findLast(
          (event) => event.worker !== null && event.event_id < end.event_id,
        )?.worker;
        const who = worker ? `worker ${worker}` : 'its worker';
        return `No acknowledgment was recorded: ${who} went silent, and the lease was found expired at ${this.at(end.at)}.`;
      }
      case 'apply':
        return `Acknowledged${after}.`;
      case 'refuse':
        return `Refused${after}${causeOf(end)}.`;
      default:
        return `Attempt ${end.attempt ?? record.attempt} ended without effect${after}${causeOf(end)}.`;
    }
  }

  standing(): SentencePart[] {
    switch (this.facts.status) {
      case 'applied':
        return [
          plain(' It '),
          strong('happened'),
          plain(`: ${this.receiptOf()}, ${this.resolver()}.`),
          ...this.contradiction(),
        ];
      case 'failed_permanent':
        return [
          plain(' It '),
          strong('did not happen'),
          plain(`: ${reasonWords(this.detail.record.reason ?? 'decided')}, ${this.resolver()}.`),
          ...this.contradiction(),
        ];
      case 'approved_new_key':
        return [
          plain(' This key is '),
          strong('closed'),
          plain(`, ${this.resolver()}. One linked key may run once.`),
          ...this.contradiction(),
        ];
      default:
        return this.facts.doubt === 'none' ? this.withoutDoubt() : this.inDoubt();
    }
  }

  private receiptOf(): string {
    const { effect_reference: reference } = this.detail.record;
    return reference === null ? 'no receipt is kept' : `receipt ${reference}`;
  }

  private resolver(): string {
    const { record, decisions } = this.detail;
    const when = ` at ${this.at(record.updated_at)}`;
    const decision = decisions.find((item) => record.resolved_by === `decision:${item.decision_id}`);
    if (decision) return `recorded by ${decision.decided_by_name} at ${this.at(decision.decided_at)}`;
    if (record.resolved_by === 'reconciler') return 'settled by the reconciler from the system of record';
    return record.resolved_by === 'executor' ? 'recorded by the worker' : `recorded${when}`;
  }

  private contradiction(): SentencePart[] {
    return this.facts.contradicted ? [strong(' Stored evidence disagrees.')] : [];
  }

  private withoutDoubt(): SentencePart[] {
    const { record } = this.detail;
    switch (this.facts.pendingReason) {
      case 'ready':
        return this.facts.attemptsLeft
          ? [strong(' Nothing has happened'), plain('; it waits for a worker.')]
          : [strong(' Nothing has happened'), plain(`: all ${record.attempt} attempts are used.`)];
      case 'queued':
        return [strong(' Nothing has happened'), plain('; no consumer has picked it up.')];
      case 'awaiting_approval':
        return [strong(' Nothing has happened'), plain('; it waits for an approval.')];
      default:
        return [strong(' Nothing has happened yet'), plain('.')];
    }
  }

  private inDoubt(): SentencePart[] {
    return [plain(' It '), strong('may have happened'), plain(this.evidence())];
  }

  private evidence(): string {
    const { record, evidence, absence_counts_from: from } = this.detail;
    const current = evidence.find((item) => item.is_current);
    const when = record.evidence_asked_at === null ? '' : ` at ${this.at(record.evidence_asked_at)}`;
    const reference = current?.effect_reference ?? 'an effect';
    switch (this.facts.evidence) {
      case 'found':
        return `; ${this.system} now shows ${reference}, which matches.`;
      case 'found_advisory':
        return `; ${this.system} shows ${reference}, but its lookup alone is no proof.`;
      case 'absent_conclusive':
        return `; ${this.system}, asked${when}, shows none, and that is conclusive.`;
      case 'absent':
        if (from === null) return `; ${this.system} showed none${when}, which proves nothing.`;
        return `; ${this.system} showed none${when}, which proves nothing before ${this.at(from)}.`;
      case 'refused':
      case 'refused_conclusive':
        return `; ${this.system} reported a refusal${when}.`;
      case 'inconclusive':
        return current?.answer === 'pending'
          ? `; ${this.system} still had it in progress${when}.`
          : `; ${this.system}, asked${when}, gave no clear answer.`;
      case 'none':
        return this.facts.capabilities.lookup === 'none'
          ? '; this tool has no lookup that could tell.'
          : '; nobody has looked it up.';
    }
  }
}

/** Names of errors that say nothing to a reader. */
const MUTE = new Set(['Error', 'TypeError', 'unknown error']);

/** The worker's own short word for what went wrong, where the event has one. */
function causeOf(event: TraceEvent): string {
  const cause = event.detail['because'];
  return typeof cause === 'string' && cause !== '' && !MUTE.has(cause) ? `: ${cause.slice(0, 120)}` : '';
}
