import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArguments } from './invalid-arguments.ts';
import { parsePlainJson } from './parse-plain-json.ts';

function refusal(text: string): InvalidArguments {
  try {
    parsePlainJson(text);
  } catch (error) {
    if (error instanceof InvalidArguments) return error;
    throw error;
  }
  throw new Error('the text was accepted');
}

describe('parsePlainJson', () => {
  it.each([
    ['unsafe_integer', '{"id":1234567890123456789}', '$.id', 6],
    ['unsafe_integer', '{"account":{"id":[9196877626998785]}}', '$.account.id[0]', 18],
    ['unsafe_integer', '9007199254740993', '$', 0],
    ['unsafe_integer', '-9007199254740992', '$', 0],
    ['unsafe_integer', '9007199254740990.7', '$', 0],
    ['unsafe_integer', '1e300', '$', 0],
    ['unsafe_integer', '1e-400', '$', 0],
    ['not_finite', '{"n": 1e400}', '$.n', 6],
    ['not_finite', '-1e400', '$', 0],
    ['duplicate_key', '{"a":1,"b":{"c":1,"c":1}}', '$.b.c', 18],
    ['duplicate_key', String.raw`{"a":1,"\u0061":2}`, '$.a', 7],
    ['proto_key', '{"__proto__":{"role":"admin"},"b":2}', '$.__proto__', 1],
    ['proto_key', String.raw`{"b":2,"__proto\u005f_":{}}`, '$.__proto__', 7],
    ['lone_surrogate', String.raw`{"a":"\ud800"}`, '$.a', 5],
    ['lone_surrogate', '{"a":"\ud800"}', '$.a', 5],
    ['lone_surrogate', String.raw`{"\udc00":1}`, '$', 1],
    ['json_syntax', '', '$', 0],
    ['json_syntax', '{"a":1,}', '$', 7],
    ['json_syntax', '[1,]', '$[1]', 3],
    ['json_syntax', '[1 2]', '$', 3],
    ['json_syntax', "{'a':1}", '$', 1],
    ['json_syntax', '{"a" 1}', '$.a', 5],
    ['json_syntax', '01', '$', 1],
    ['json_syntax', '+1', '$', 0],
    ['json_syntax', '.5', '$', 0],
    ['json_syntax', 'NaN', '$', 0],
    ['json_syntax', 'nullnull', '$', 4],
    ['json_syntax', '"a\nb"', '$', 2],
    ['json_syntax', String.raw`"\x41"`, '$', 0],
    ['json_syntax', '"abc', '$', 4],
    ['json_syntax', '\ufeff{}', '$', 0],
    ['json_syntax', '{} {}', '$', 3],
  ])('refuses %s in %s with path and position', (code, text, path, position) => {
    const error = refusal(text);
    expect([error.code, error.path, error.position]).toEqual([code, path, position]);
  });

  it('[B54] says to send a long integer as text, and never rounds it', () => {
    expect(refusal('{"id":1234567890123456789}').message).toBe(
      'The value at $.id (character 6) is a number that would be rounded to another integer; send it as text.',
    );
    expect(parsePlainJson('{"id":"1234567890123456789"}')).toEqual({ id: '1234567890123456789' });
  });

  it('[B55] never gives two different integers one value', () => {
    expect(refusal('9196877626998784').code).toBe('unsafe_integer');
    expect(parsePlainJson('9007199254740991')).toBe(9007199254740991);
  });

  it.each([
    ['10.0', 10],
    ['1E2', 100],
    ['-0', 0],
    ['0e99999999999', 0],
    ['100000e-5', 1],
    ['333333333.33333329', 333333333.3333333],
  ])('reads %s', (text, value) => {
    expect(parsePlainJson(text)).toBe(value);
  });

  it.each([65, 900, 1_100, 20_000, 1_000_000])('[B59] refuses %i levels as too deep', (levels) => {
    expect(refusal('['.repeat(levels)).code).toBe('too_deep');
    expect(refusal('{"a":'.repeat(levels)).code).toBe('too_deep');
  });

  it('reads the stated depth', () => {
    expect(() => parsePlainJson('['.repeat(64) + ']'.repeat(64))).not.toThrow();
  });

  it('takes U+0000, and refuses more than 256 KiB', () => {
    expect(parsePlainJson(String.raw`"a\u0000"`)).toBe('a\u0000');
    expect(refusal(JSON.stringify('x'.repeat(256 * 1024))).code).toBe('too_large');
  });

  it.each([
    `1.${'0'.repeat(200_000)}1`,
    `"${'\\\\'.repeat(100_000)}`,
    ' '.repeat(200_000),
    `[${'1,'.repeat(100_000)}`,
  ])('takes linear time on hostile text %#', (text) => {
    const started = performance.now();
    refusal(text);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('accepts only what JSON.parse accepts, with the same value', () => {
    const text = fc.oneof(
      fc.json(),
      fc.stringMatching(/^[{}[\]",:\\u0123 \-+.eEtrunalfs]{0,30}$/),
      fc
        .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', ' ', '0', '\\', '}'))
        .map(([json, at, inserted]) => {
          const cut = at % (json.length + 1);
          return json.slice(0, cut) + inserted + json.slice(cut + 1);
        }),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        let ours: unknown;
        try {
          ours = parsePlainJson(candidate);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidArguments);
          if ((error as InvalidArguments).code === 'json_syntax')
            expect(() => JSON.parse(candidate)).toThrow();
          return;
        }
        expect(JSON.stringify(ours)).toBe(JSON.stringify(JSON.parse(candidate)));
      }),
      { numRuns: 2000 },
    );
  });
});
