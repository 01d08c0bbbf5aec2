import * as z from 'zod/mini';
import { ServiceError } from '../errors.ts';
import { instant } from '../shapes/instant.ts';
import { storable } from '../shapes/storable.ts';

/** A day that there is, in a zone that there is: what the database would refuse was never a cursor of ours. */
function exists(at: string): boolean {
  const day = at.slice(0, 10);
  if (Number.isNaN(Date.parse(at)) || !/(?:[+-](?:0\d|1[0-4]):\d\d|Z)$/.test(at)) return false;
  return new Date(day).toISOString().startsWith(day) && !day.startsWith('0000');
}

const place = z.tuple([
  instant.check(z.refine(exists)),
  z.string().check(z.minLength(1), z.maxLength(2_048), storable),
]);

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
