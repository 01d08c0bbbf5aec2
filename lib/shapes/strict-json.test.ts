import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStrictJson } from './strict-json.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('parseStrictJson', () => {
  test('reads whatever JSON.stringify writes, as JSON.parse does', () => {
    const texts = fc.json({ maxDepth: 6, stringUnit: 'grapheme' }).filter((text) => {
      const read = parseStrictJson(text);
      return read.ok || !/U\+0000|surrogate|never accepted|integer beyond/.test(read.why);
    });
    fc.assert(
      fc.property(texts, (text) => {
        expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  test('refuses whatever JSON.parse refuses', () => {
    const alphabet = fc.constantFrom(...'{}[]",:0123456789.eE+-truefalsn\\u \t\n\u0001'.split(''));
    fc.assert(
      fc.property(fc.string({ unit: alphabet, maxLength: 12 }), (text) => {
        let known: unknown;
        try {
          known = { ok: true, value: JSON.parse(text) };
        } catch {
          known = { ok: false };
        }
        const read = parseStrictJson(text);
        const stricter = !read.ok && /twice|beyond/.test(read.why);
        if (!stricter) expect({ ok: false, ...(read.ok ? read : {}) }).toEqual(known);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    ['a name twice', '{"a":{"b":1,"b":1}}', '/a/b', 'is there twice'],
    ['a name twice, written differently', '{"a":1,"\\u0061":2}', '/a', 'is there twice'],
    ['__proto__', '[{"__proto__":{"role":"admin"}}]', '/0/__proto__', 'never accepted'],
    ['__proto__ by escapes', '{"\\u005f_proto__":1}', '/__proto__', 'never accepted'],
    ['an integer beyond 2^53', '{"a":[0,9007199254740993]}', '/a/1', 'beyond 2^53'],
    ['an integer by exponent', '{"a":1e20}', '/a', 'beyond 2^53'],
    ['1e400', '{"a":1e400}', '/a', 'beyond what can be held'],
    ['U+0000 in a value', '{"a":"x\\u0000"}', '/a', 'U+0000'],
    ['U+0000 in a name', '{"x\\u0000":1}', '', 'U+0000'],
    ['a lone surrogate', '{"a":"\\ud800x"}', '/a', 'surrogate'],
    ['more text', '{} {}', '', 'followed by more text'],
    ['an end too early', '{"a":[1,', '/a/1', 'ends too early'],
    ['nothing', '', '', 'ends too early'],
    ['a name that a pointer must escape', '{"a/b~c":1,"a/b~c":2}', '/a~1b~0c', 'is there twice'],
  ])('[S29] refuses %s and says where', (_what, text, pointer, why) => {
    expect(parseStrictJson(text)).toEqual({ ok: false, pointer, why: expect.stringContaining(why) });
  });

  test('[S29] refuses the 65th level, and takes the 64th', () => {
    expect(parseStrictJson(nested(64)).ok).toBe(true);
    expect(parseStrictJson(nested(65))).toMatchObject({ ok: false, why: 'is nested deeper than 64 levels' });
    expect(parseStrictJson(nested(200_000))).toMatchObject({ ok: false });
    const objects = '{"a":'.repeat(65) + '1' + '}'.repeat(65);
    expect(parseStrictJson(objects)).toMatchObject({ ok: false });
  });

  test('keeps the numbers and strings that are safe', () => {
    const text =
      '{"max":9007199254740991,"min":-9007199254740991,"half":0.5,"smile":"\\ud83d\\ude00","constructor":1}';
    expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });
});
