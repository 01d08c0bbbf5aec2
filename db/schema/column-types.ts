import { sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * `jsonb` that is encoded and decoded once: drizzle's own parses a stored string a second time, so `"10.5"` came
 * back as a number. SQL NULL and JSON null both read as null: where it matters, select `is null` beside it.
 */
export const jsonb = customType<{ data: Json; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (value) => sql`${JSON.stringify(value)}::text::jsonb`,
  fromDriver: (value) => value as Json,
});

/** `timestamptz` as ISO 8601 text in microseconds: a JavaScript Date drops three digits, and a cursor needs them. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: isoInstant,
});

export const bytea = customType<{ data: Uint8Array; driverData: Buffer }>({ dataType: () => 'bytea' });

/** PostgreSQL's ISO output, whatever zone its session shows, as `2026-01-02T03:04:05.678901Z`. */
function isoInstant(text: string): string {
  const match = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?([+-]\d\d)(:\d\d)?$/.exec(text);
  if (match === null) return text; // infinity, BC: shown as they are
  const [, date, time, fraction = '.', hours, minutes = ':00'] = match;
  const zone = `${hours}${minutes}`;
  return `${date}T${time}${fraction.padEnd(7, '0')}${zone === '+00:00' ? 'Z' : zone}`;
}
