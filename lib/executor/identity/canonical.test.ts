import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalBytes, canonicalText, rfc8785Text } from './canonical.ts';
import type { PlainJson } from './plain-json.ts';

/** RFC 8785 Appendix B: IEEE 754 bits and their serialization. */
const NUMBERS: readonly (readonly [bits: string, text: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

/** RFC 8785 §3.2.2: the input text, and §3.2.4: the bytes of its canonical form. */
const SAMPLE_INPUT = String.raw`{
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}`;
const SAMPLE_BYTES = `
  7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72 75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62 65 72
  73 22 3a 5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31 65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30 32
  2c 31 65 2d 32 37 5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30 30 66 5c 6e 41 27 42 5c 22 5c 5c
  5c 5c 5c 22 2f 22 7d`;

/** RFC 8785 §3.2.3: the sorting sample. */
const SORTING_INPUT = {
  '\u20ac': 'Euro Sign',
  '\r': 'Carriage Return',
  '\ufb33': 'Hebrew Letter Dalet With Dagesh',
  '1': 'One',
  '\ud83d\ude00': 'Emoji: Grinning Face',
  '\u0080': 'Control',
  '\u00f6': 'Latin Small Letter O With Diaeresis',
};
const SORTING_ORDER = [
  'Carriage Return',
  'One',
  'Control',
  'Latin Small Letter O With Diaeresis',
  'Euro Sign',
  'Emoji: Grinning Face',
  'Hebrew Letter Dalet With Dagesh',
];

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('RFC 8785', () => {
  it.each(NUMBERS)('Appendix B: %s is %s', (bits, text) => {
    expect(rfc8785Text(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it('§3.2.2 and §3.2.4: literals, strings and numbers give these bytes', () => {
    const bytes = Buffer.from(rfc8785Text(JSON.parse(SAMPLE_INPUT) as PlainJson), 'utf8');
    expect(hex(bytes)).toBe(SAMPLE_BYTES.replaceAll(/\s/g, ''));
  });

  it('§3.2.3: keys sort by UTF-16 code units', () => {
    const order = Array.from(canonicalText(SORTING_INPUT).matchAll(/:"([^"]*)"/g), (match) => match[1]);
    expect(order).toEqual(SORTING_ORDER);
  });
});

describe('[B51] [B52] U+1F600 sorts before U+FB33, because RFC 8785 §3.2.3 compares UTF-16 code units (D83D < FB33)', () => {
  const expectUtf16Order = (canonical: (value: Record<string, number>) => string) => {
    for (const value of [
      { '\u{1f600}': 1, '\ufb33': 2 },
      { '\ufb33': 2, '\u{1f600}': 1 },
    ]) {
      expect(canonical(value)).toBe('{"\u{1f600}":1,"\ufb33":2}');
    }
  };

  it('holds in both insertion orders', () => {
    expectUtf16Order(canonicalText);
  });

  it('catches a comparator that sorts by code point', () => {
    const byCodePoint = (one: string, other: string) =>
      (one.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    const wrong = (value: Record<string, number>) =>
      JSON.stringify(
        Object.fromEntries(Object.entries(value).sort(([one], [other]) => byCodePoint(one, other))),
      );
    expect(() => expectUtf16Order(wrong)).toThrow(/"\ufb33":2,"\u{1f600}":1/u);
  });

  it('catches the order of insertion', () => {
    expect(() => expectUtf16Order((value) => JSON.stringify(value))).toThrow(/1f600|\u{1f600}/u);
  });
});

describe('canonicalText', () => {
  it('[B56] keeps U+2028 and U+2029 unescaped', () => {
    expect(canonicalText({ body: 'a\u2028b\u2029c' })).toBe('{"body":"a\u2028b\u2029c"}');
    expect(hex(canonicalBytes('\u2028'))).toBe('22e280a822');
  });

  it('[B56] refuses integers beyond ±(2^53−1) as our input policy, before the RFC would write them', () => {
    expect(() => canonicalText({ id: 2 ** 53 })).toThrow(/\$\.id/);
    expect(() => canonicalText(2 ** 68)).toThrow(/2\^53/);
    expect(rfc8785Text(2 ** 68)).toBe('295147905179352830000');
  });

  it('[B63] tells a real U+0000 from the six characters backslash u0000', () => {
    expect(canonicalText('\u0000')).toBe(String.raw`"\u0000"`);
    expect(canonicalText(String.raw`\u0000`)).toBe(String.raw`"\\u0000"`);
  });

  it('never normalizes Unicode', () => {
    expect(canonicalText('A\u030a')).not.toBe(canonicalText('\u00c5'));
    expect(canonicalText('\u212b')).not.toBe(canonicalText('\u00c5'));
  });
});

// The vectors are published beside the repository, not in it: JCS_VECTORS names another place.
const vectors = process.env['JCS_VECTORS'] ?? resolve(import.meta.dirname, '../../../../shared/vectors/jcs');
const present = existsSync(resolve(vectors, 'input'));

describe.skipIf(!present)(`published vectors${present ? '' : ` (skipped: none at ${vectors})`}`, () => {
  const files = present ? readdirSync(resolve(vectors, 'input')) : ['none'];

  it.each(files)('%s gives the published text and bytes', (file) => {
    const input = JSON.parse(readFileSync(resolve(vectors, 'input', file), 'utf8')) as PlainJson;
    const text = readFileSync(resolve(vectors, 'output', file), 'utf8');
    const bytes = readFileSync(resolve(vectors, 'outhex', file.replace(/\.json$/, '.txt')), 'utf8');
    expect(rfc8785Text(input)).toBe(text);
    expect(hex(Buffer.from(rfc8785Text(input), 'utf8'))).toBe(bytes.replaceAll(/\s/g, ''));
  });
});
