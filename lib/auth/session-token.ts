import { createHash, randomBytes } from 'node:crypto';

const FORM = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits for one browser. */
export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/** What the database keeps of a token; null for text that never was one. */
export function hashSessionToken(token: string): Buffer | null {
  return FORM.test(token) ? createHash('sha256').update(token).digest() : null;
}
