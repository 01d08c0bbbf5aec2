import type { OutcomeReason } from '../domain/states.ts';
import type { Contract } from './contract/contract.ts';
import type { PlainJson } from './identity/plain-json.ts';
import type { Material } from './identity/material.ts';
import { NotSent, type EffectAnswer } from './tool.ts';

/** What an attempt ended in: the event that the worker may fire, with what it carries. */
export type AttemptEnd =
  | { event: 'apply'; reference: string | null; response: PlainJson; committedAt: string | undefined }
  | { event: 'refuse'; reason: OutcomeReason }
  | { event: 'release'; retryAfterMs: number | null }
  | { event: 'doubt'; reason: OutcomeReason; because: string };

/** Only a failure before the send proves that nothing happened; every other error is doubt (rule 4). */
export function classifyError(error: unknown): AttemptEnd {
  if (error instanceof NotSent) return { event: 'release', retryAfterMs: null };
  const because = error instanceof Error ? error.name : 'unknown error';
  return { event: 'doubt', reason: 'no_answer', because };
}

/** Reads an answer by the contract: receipt, postcondition, replay fields. What does not fit is doubt. */
export function classifyAnswer(contract: Contract, material: Material, given: EffectAnswer): AttemptEnd {
  switch (given.kind) {
    case 'done':
      return classifyDone(contract, material, given);
    case 'refused':
      return { event: 'refuse', reason: 'refused' };
    case 'not_now':
      return {
        event: 'release',
        retryAfterMs: given.retryAfterSeconds === undefined ? null : given.retryAfterSeconds * 1000,
      };
    case 'in_progress':
      return { event: 'doubt', reason: 'no_answer', because: 'the downstream is still processing this key' };
    case 'unclear':
      return { event: 'doubt', reason: 'unreadable_answer', because: given.because };
  }
}

function classifyDone(
  contract: Contract,
  material: Material,
  done: Extract<EffectAnswer, { kind: 'done' }>,
): AttemptEnd {
  const fields = fieldsOf(done.answer);
  const reference = done.reference ?? readReference(contract, fields);
  if (reference === null && contract.receipt?.required)
    return {
      event: 'doubt',
      reason: 'unreadable_answer',
      because: `no ${contract.receipt.field} in the answer`,
    };
  const differing = differences(contract.postcondition ?? {}, material, fields);
  if (differing.length > 0)
    return {
      event: 'doubt',
      reason: 'wrong_receipt',
      because: `${differing.join(', ')} differs from the request`,
    };
  return {
    event: 'apply',
    reference,
    response: replayableResult(contract, done.answer),
    committedAt: done.committedAt,
  };
}

type Fields = { readonly [field: string]: unknown };

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** The receipt that the contract names, as text; null where the answer has none. */
export function readReference(contract: Contract, answer: Fields): string | null {
  const value = contract.receipt === undefined ? undefined : own(answer, contract.receipt.field);
  if (typeof value === 'string' && value.trim() !== '') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : null;
}

/** The names of the answer's fields that do not equal their material field. */
export function differences(
  compared: { readonly [answerField: string]: string },
  material: Material,
  answer: Fields,
): string[] {
  return Object.entries(compared)
    .filter(([field, name]) => !equal(own(answer, field), own(material, name)))
    .map(([field]) => field);
}

/**
 * What a replay returns: of an object the contract's replay fields, any other JSON whole. A receipt is never lost over
 * its result: one that is larger than the contract's `max_bytes` is dropped and says so.
 */
export function replayableResult(contract: Contract, answer: unknown): PlainJson {
  const kept = isObject(answer)
    ? Object.fromEntries(
        contract.replay.fields.filter((f) => Object.hasOwn(answer, f)).map((f) => [f, answer[f]]),
      )
    : answer;
  // unlike an argument, an answer may hold lone surrogates or large integers: it is kept as JSON text says it
  const text = JSON.stringify(kept) ?? 'null';
  const bytes = Buffer.byteLength(text);
  if (bytes > contract.replay.max_bytes) return { truncated: true, bytes };
  return JSON.parse(text) as PlainJson;
}

const own = (record: Fields, field: string): unknown =>
  Object.hasOwn(record, field) ? record[field] : undefined;

const equal = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);
