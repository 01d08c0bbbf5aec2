import { createHash } from 'node:crypto';
import { looksLikeCredential } from './credential-forms.ts';
import { InvalidArguments, type InvalidArgumentsCode } from './invalid-arguments.ts';

/** What the application knows about the step that calls the tool. Nothing of it comes from the model. */
export interface OperationKeyParts {
  tenantId: string;
  environment: string;
  workflowId: string;
  stepId: string;
}

/** How a contract says which key the downstream gets: the operation key, or so many hex digits of its digest. */
export type DownstreamKeyRule = 'operation_key' | { readonly digest: 'sha256'; readonly length: number };

const PARTS = ['tenantId', 'environment', 'workflowId', 'stepId'] as const;
const MAX_KEY_PART_BYTES = 255;
const MAX_KEY_BYTES = 1024;
/** Every key that can be claimed must leave room for its successors, `!1` to `!9999`. */
const SUCCESSOR_BYTES = 5;
const MAX_SUCCESSOR = 9999;

/**
 * The identity of one intended business action: `tenant:environment:workflow:step`. `%`, `:` and `!` inside
 * a part are percent-encoded, so that `a:b` + `c` and `a` + `b:c` differ. Sizes count UTF-8 bytes of the
 * encoded text. Throws {@link InvalidArguments} for a part that is missing, padded, unprintable, a word that
 * stands for a lost value, an e-mail address, or a credential: keys stand in URLs, logs and headers.
 */
export function operationKey(parts: OperationKeyParts): string {
  const key = PARTS.map((name) => encodePart(name, parts[name])).join(':');
  if (byteLength(key) > MAX_KEY_BYTES - SUCCESSOR_BYTES) {
    throw new InvalidArguments(
      'key_too_long',
      '$',
      `The operation key is longer than ${MAX_KEY_BYTES - SUCCESSOR_BYTES} bytes; use shorter workflow and step ids.`,
    );
  }
  return key;
}

/**
 * The key of the operation that an approved-new-key decision creates: the key + `!n`. A successor's own
 * successor replaces the number (`k!1` → `k!2`), so a chain does not grow.
 */
export function successorKey(key: string, n: number): string {
  const [, base, current] = /^((?:[^:!]+:){3}[^:!]+)(?:!([1-9]\d{0,3}))?$/.exec(key) ?? [];
  if (base === undefined) {
    throw new InvalidArguments(
      'key_malformed',
      '$',
      'A successor needs an operation key of the form tenant:environment:workflow:step; this key has another form.',
    );
  }
  const lowest = Number(current ?? 0) + 1;
  if (!Number.isInteger(n) || n < lowest || n > MAX_SUCCESSOR) {
    throw new InvalidArguments(
      'successor_number',
      '$',
      `The number of this successor must be a whole number from ${lowest} to ${MAX_SUCCESSOR}.`,
    );
  }
  return `${base}!${n}`;
}

/** The key that is sent downstream, the same on every attempt. A digest is lower-case hex of 16 to 64 digits. */
export function downstreamKey(key: string, rule: DownstreamKeyRule): string {
  if (rule === 'operation_key') return key;
  if (!Number.isInteger(rule.length) || rule.length < 16 || rule.length > 64) {
    throw new RangeError(`A downstream key digest has 16 to 64 hex digits, not ${rule.length}.`);
  }
  return createHash(rule.digest).update(key, 'utf8').digest('hex').slice(0, rule.length);
}

function encodePart(name: (typeof PARTS)[number], part: unknown): string {
  const refuse = (code: InvalidArgumentsCode, problem: string) =>
    new InvalidArguments(code, `$.${name}`, `The key part ${name} ${problem}`);

  if (typeof part !== 'string' || part.trim() === '') {
    throw refuse(
      'key_part_missing',
      'is empty or not text; pass the durable id that the workflow has for it.',
    );
  }
  if (part !== part.trim()) {
    throw refuse('key_part_untrimmed', 'begins or ends with white space; pass the id without it.');
  }
  if (!part.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(part)) {
    throw refuse('key_part_unprintable', 'has control characters or broken Unicode; pass printable text.');
  }
  if (/^(?:null|NaN)$|undefined|\[object /.test(part)) {
    throw refuse(
      'key_part_placeholder',
      'holds the text of a value that was lost; find where the id went missing.',
    );
  }
  const encoded = part.replace(/[%:!]/g, (character) => PERCENT_ENCODED[character] ?? character);
  if (byteLength(encoded) > MAX_KEY_PART_BYTES) {
    throw refuse('key_part_too_long', `is longer than ${MAX_KEY_PART_BYTES} bytes; use a shorter id.`);
  }
  if (/^[^\s@]+@[^\s@]+\.(?:\p{L}{2,}|xn--[\w-]+)>?$/u.test(part)) {
    throw refuse('key_part_personal', 'is an e-mail address, and keys are logged; use an opaque id.');
  }
  if (looksLikeCredential(part)) {
    throw refuse('key_part_secret', 'has the form of a credential, and keys are logged; use an opaque id.');
  }
  return encoded;
}

const PERCENT_ENCODED: Readonly<Record<string, string>> = { '%': '%25', ':': '%3A', '!': '%21' };

function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
