import canonicalize from 'canonicalize';
import { InvalidArguments } from './invalid-arguments.ts';
import { assertPlainJson, type PlainJson } from './plain-json.ts';

/** The RFC 8785 text of a value, behind {@link assertPlainJson}. Throws {@link InvalidArguments}. */
export function canonicalText(value: unknown): string {
  return rfc8785Text(assertPlainJson(value));
}

/** The UTF-8 bytes of {@link canonicalText}: what digests are computed over (RFC 8785 §3.2.4). */
export function canonicalBytes(value: unknown): Uint8Array {
  return Buffer.from(canonicalText(value), 'utf8');
}

/**
 * RFC 8785 alone, for a value that has passed {@link assertPlainJson} and grew only by our own fields. An error
 * or an empty text of the library is fatal: the raw library returns `undefined` for some values, and a digest of
 * nothing would give all of them one identity.
 */
export function rfc8785Text(value: PlainJson): string {
  let text: string | undefined;
  let cause: unknown;
  try {
    text = canonicalize(value);
  } catch (error) {
    cause = error;
  }
  if (text !== undefined && text !== '') return text;
  throw new InvalidArguments(
    'not_canonical',
    '$',
    'The value has no canonical JSON form, so it cannot identify a request; pass plain data.',
    { cause },
  );
}
