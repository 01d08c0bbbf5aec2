import { expect, test } from 'vitest';
import { isServiceError } from '../errors.ts';
import { fromCursor, toCursor } from './page-cursor.ts';

const refused = (cursor: string) => {
  try {
    return fromCursor(cursor);
  } catch (error) {
    return isServiceError(error, 'invalid');
  }
};

test('a cursor is read back with all its microseconds', () => {
  const at = '2026-08-18T14:02:07.123456+00:00';
  expect(fromCursor(toCursor(at, 'acme:production:run_1:a'))).toEqual({ at, key: 'acme:production:run_1:a' });
});

test.each([
  ['no JSON', 'xx'],
  ['a month 13', toCursor('2026-13-01T00:00:00Z', 'k')],
  ['a year that no date holds', toCursor('999999-01-01T00:00:00Z', 'k')],
  ['a day that there is not', toCursor('2026-02-30T00:00:00Z', 'k')],
  ['a year that there is not', toCursor('0000-01-01T00:00:00Z', 'k')],
  ['a zone that there is not', toCursor('2026-01-01T00:00:00+23:00', 'k')],
  ['U+0000 in the key', toCursor('2026-01-01T00:00:00Z', 'a\0b')],
])('%s is refused before the database is asked', (_what, cursor) => {
  expect(refused(cursor)).toBe(true);
});
