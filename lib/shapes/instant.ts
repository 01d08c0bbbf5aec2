import * as z from 'zod/mini';

/** A time as the database writes it: ISO 8601 with its zone and all its microseconds. */
export const instant = z
  .string()
  .check(z.regex(/^\d{4,6}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?([+-]\d\d(:\d\d)?|Z)$/));
