import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Keys for what is stored sealed. A new key is added and made `current`; an old one stays here for as long as rows
 * carry its id.
 */
export interface Sealing {
  /** The id of the key that seals from now on; 1 to 64 bytes. */
  current: string;
  /** 32 bytes each, by key id. */
  keys: Readonly<Record<string, Uint8Array>>;
}

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What was sealed cannot be opened: its key is not here, it belongs to another operation, or it was changed. */
class CannotOpen extends Error {
  override readonly name = 'CannotOpen';
}

/** @throws {RangeError} naming the key that is missing or has another size than 32 bytes */
export function assertSealing({ current, keys }: Sealing): void {
  if (!Object.hasOwn(keys, current))
    throw new RangeError(`Sealing has no key with the current id ${current}.`);
  for (const [id, key] of Object.entries(keys)) {
    const bytes = Buffer.byteLength(id);
    if (bytes < 1 || bytes > 64) throw new RangeError('The id of a sealing key has 1 to 64 bytes.');
    if (key.byteLength !== 32)
      throw new RangeError(`The sealing key ${id} has ${key.byteLength} bytes, not 32.`);
  }
}

/**
 * AES-256-GCM with a fresh nonce: format, key id, nonce, tag, ciphertext; base64.
 * @param boundTo what the sealed text belongs to; it opens for nothing else
 */
export function seal({ current, keys }: Sealing, text: string, boundTo: string): string {
  const key = keys[current];
  if (key === undefined) throw new RangeError(`Sealing has no key with the current id ${current}.`);
  const id = Buffer.from(current, 'utf8');
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(boundTo, 'utf8'));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from([FORMAT, id.length]), id, nonce, cipher.getAuthTag(), sealed]).toString(
    'base64',
  );
}

/** @throws {CannotOpen} */
export function open({ keys }: Sealing, sealed: string, boundTo: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const nonceAt = 2 + (bytes[1] ?? 0);
  if (bytes[0] !== FORMAT || bytes.length < nonceAt + NONCE_BYTES + TAG_BYTES)
    throw new CannotOpen('It has no form that is known here.');
  const id = bytes.toString('utf8', 2, nonceAt);
  const key = Object.hasOwn(keys, id) ? keys[id] : undefined;
  if (key === undefined) throw new CannotOpen(`The key ${id} is not here.`);
  const tagAt = nonceAt + NONCE_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(nonceAt, tagAt));
  decipher.setAAD(Buffer.from(boundTo, 'utf8'));
  decipher.setAuthTag(bytes.subarray(tagAt, tagAt + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(tagAt + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new CannotOpen('It belongs to another operation, or was changed.');
  }
}
