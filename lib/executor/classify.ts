import type { OutcomeReason } from '../domain/states.ts';
import type { Contract } from './contract/contract.ts';
import { MAX_JSON_DEPTH, type PlainJson } from './identity/plain-json.ts';
import type { Material } from './identity/material.ts';
import { NotSent, type EffectAnswer } from './tool.ts';

/** What an attempt ended in: the event that the worker may fire, with what it carries. */
export type AttemptEnd =
  | { event: 'apply'; reference: string | null; response: PlainJson; committedAt: string | undefined }
  | { event: 'accept'; jobId: string }
  | { event: 'refuse'; reason: OutcomeReason }
  | { event: 'release'; retryAfterMs: number | null }
  | { event: 'doubt'; reason: OutcomeReason; because: string; ended?: false };

/** Only a failure before the send proves that nothing happened; every other error is doubt (rule 4). */
export function classifyError(error: unknown): AttemptEnd {
  if (error instanceof NotSent) return { event: 'release', retryAfterMs: null };
  const because = error instanceof Error ? error.name : 'unknown error';
  return { event: 'doubt', reason: 'no_answer', because };
}

/** Reads an answer by the contract: receipt, postcondition, replay fields. What does not fit is doubt. */
export function classifyAnswer(contract: Contract, material: Material, given: EffectAnswer): AttemptEnd {
  // a tool written without types may answer anything, and what we cannot read proves nothing
  if (!isObject(given))
    return { event: 'doubt', reason: 'unreadable_answer', because: 'the tool answered nothing' };
  switch (given.kind) {
    case 'done':
      return classifyDone(contract, material, given);
    case 'refused':
      return { event: 'refuse', reason: 'refused' };
    case 'not_now':
      return { event: 'release', retryAfterMs: waitMs(given.retryAfterSeconds) };
    case 'accepted':
      return classifyAccepted(contract, given.jobId);
    case 'in_progress':
      return { event: 'doubt', reason: 'no_answer', because: 'the downstream is still processing this key' };
    case 'unclear':
      return { event: 'doubt', reason: 'unreadable_answer', because: given.because };
    default:
      return { event: 'doubt', reason: 'unreadable_answer', because: 'the tool answered no known kind' };
  }
}

/** A job that nobody can ask for is a doubt. */
function classifyAccepted(contract: Contract, given: unknown): AttemptEnd {
  const jobId = receiptText(given);
  if (jobId === null)
    return { event: 'doubt', reason: 'unreadable_answer', because: 'a job was accepted without an id' };
  if (contract.job_seconds === undefined)
    return { event: 'doubt', reason: 'unreadable_answer', because: 'the contract knows no jobs' };
  return { event: 'accept', jobId };
}

const LONGEST_WAIT_SECONDS = 86_400;

/** A downstream's word on when to come back, within what can be a date; null where it says nothing usable. */
function waitMs(seconds: number | undefined): number | null {
  if (seconds === undefined || !(seconds >= 0)) return null;
  return Math.min(seconds, LONGEST_WAIT_SECONDS) * 1000;
}

function classifyDone(
  contract: Contract,
  material: Material,
  done: Extract<EffectAnswer, { kind: 'done' }>,
): AttemptEnd {
  const fields = fieldsOf(done.answer);
  const reference = receiptText(done.reference) ?? readReference(contract, fields);
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
    committedAt: instantText(done.committedAt),
  };
}

type Fields = { readonly [field: string]: unknown };

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** The receipt that the contract names, as text; null where the answer has none. */
function readReference(contract: Contract, answer: Fields): string | null {
  return receiptText(contract.receipt === undefined ? undefined : own(answer, contract.receipt.field));
}

/** A receipt names something; a number is one only while it is exact. */
export function receiptText(value: unknown): string | null {
  if (typeof value === 'string' && value.trim() !== '') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : null;
}

/** A provider's word on when it was, as the database takes it; what is no time is left out, and its receipt is kept. */
export function instantText(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return undefined;
  const at = new Date(value);
  const text = Number.isNaN(at.getTime()) ? '' : at.toISOString();
  return /^(?!0000)\d{4}-/.test(text) ? text : undefined; // Postgres has no year 0
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
 * its result: one that is larger than the contract's `max_bytes`, or that JSON or the database cannot hold, is dropped
 * and says so.
 */
export function replayableResult(contract: Contract, answer: unknown): PlainJson {
  const text = jsonText(contract, answer);
  if (text === null || depth(text) > MAX_JSON_DEPTH) return { truncated: true };
  const bytes = Buffer.byteLength(text);
  if (bytes > contract.replay.max_bytes) return { truncated: true, bytes };
  return JSON.parse(text) as PlainJson;
}

/** Unlike an argument, an answer may hold lone surrogates or large numbers: it is kept as JSON text says it. */
function jsonText(contract: Contract, answer: unknown): string | null {
  try {
    const kept = isObject(answer)
      ? Object.fromEntries(
          contract.replay.fields.filter((f) => Object.hasOwn(answer, f)).map((f) => [f, answer[f]]),
        )
      : answer;
    return JSON.stringify(kept) ?? 'null';
  } catch {
    return null; // a cycle, a BigInt, an accessor or toJSON that throws
  }
}

function depth(text: string): number {
  let open = 0;
  let deepest = 0;
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (mark === '[' || mark === '{') deepest = Math.max(deepest, ++open);
    else if (mark === ']' || mark === '}') open -= 1;
  }
  return deepest;
}

const own = (record: Fields, field: string): unknown =>
  Object.hasOwn(record, field) ? record[field] : undefined;

const equal = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);
