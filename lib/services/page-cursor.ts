import * as z from 'zod/mini';
import { ServiceError } from '../errors.ts';
import { instant } from '../shapes/instant.ts';

const place = z.tuple([instant, z.string().check(z.minLength(1), z.maxLength(2_048))]);

/** The place of a row in a list: its time at full precision and its key, as one opaque word. */
export function toCursor(at: string, key: string): string {
  return Buffer.from(JSON.stringify([at, key]), 'utf8').toString('base64url');
}

/** Reads a cursor that we gave out; refuses anything else. */
export function fromCursor(cursor: string): { at: string; key: string } {
  const refuse = () =>
    new ServiceError('invalid', 'This page of the list does not exist. Start from its beginning.');
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw refuse();
  }
  const read = place.safeParse(decoded);
  if (!read.success) throw refuse();
  const [at, key] = read.data;
  return { at, key };
}
