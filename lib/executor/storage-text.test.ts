import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlainJson } from './identity/plain-json.ts';
import {
  boundedText,
  escapeForStorage,
  mayHoldEscapes,
  mayNeedEscape,
  unescapeFromStorage,
} from './storage-text.ts';

/** Any UTF-16 units at all, rich in the ones that matter here. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(0, 0x1a, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0x30, 0x61, 0x5c, 0x75),
      fc.integer({ min: 0, max: 0xffff }),
    ),
    { maxLength: 12 },
  )
  .map((units) => String.fromCharCode(...units));

const anyJson = fc.letrec<{ value: PlainJson }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    anyText,
    fc.constantFrom<PlainJson>(null, true, false, 0, 1.5, '__proto__'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(anyText, fc.constantFrom('__proto__', 'constructor')), tie('value'), {
      maxKeys: 4,
    }),
  ),
})).value;

function storable(value: PlainJson): boolean {
  const texts = JSON.stringify(value);
  return !/\\u0000|\\ud[89a-f]/.test(texts.replaceAll('\\\\', ''));
}

describe('escapeForStorage', () => {
  it('[B62] comes back exactly, for every text and key, and holds nothing that Postgres refuses', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const stored = escapeForStorage(value);
        expect(storable(stored)).toBe(true);
        const back = unescapeFromStorage(JSON.parse(JSON.stringify(stored)) as PlainJson);
        expect(JSON.stringify(back)).toBe(JSON.stringify(value));
      }),
      { numRuns: 1000 },
    );
  });

  it('gives different stored texts to different texts', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        expect(escapeForStorage(one) === escapeForStorage(other)).toBe(one === other);
      }),
      { numRuns: 2000 },
    );
  });

  it('[B62] keeps U+0000, a lone U+D800 and a cut emoji, and leaves whole emoji alone', () => {
    expect(escapeForStorage('a\u0000b')).toBe('a\u001a0000b');
    expect(escapeForStorage('a\ud800')).toBe('a\u001ad800');
    expect(escapeForStorage('🎫'.slice(1))).toBe('\u001adfab');
    expect(escapeForStorage('🎫')).toBe('🎫');
  });

  it('[B63] tells a real U+0000 from the six characters backslash u0000, and from its own escape', () => {
    const texts = ['\u0000', String.raw`\u0000`, '\u001a0000', '\u001a', '0000'];
    const stored = texts.map((text) => escapeForStorage(text));
    expect(new Set(stored).size).toBe(texts.length);
    expect(stored[1]).toBe(String.raw`\u0000`);
    expect(stored.map((text) => unescapeFromStorage(text))).toEqual(texts);
  });

  it('escapes keys, and keeps a key named __proto__', () => {
    const value = JSON.parse(String.raw`{"a\u0000":{"__proto__":{"x":"\u0000"}}}`) as PlainJson;
    expect(JSON.stringify(escapeForStorage(value))).toBe(
      String.raw`{"a\u001a0000":{"__proto__":{"x":"\u001a0000"}}}`,
    );
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('does not overflow on a deep answer', () => {
    const deep = JSON.parse(`${'['.repeat(20_000)}"\\u0000"${']'.repeat(20_000)}`) as PlainJson;
    let inner = escapeForStorage(deep);
    while (Array.isArray(inner)) inner = inner[0] as PlainJson;
    expect(inner).toBe('\u001a0000');
  });
});

describe('boundedText', () => {
  it('leaves short text as it is, escaped', () => {
    expect(boundedText('a\u0000', 6)).toBe('a\u001a0000');
  });

  it('cuts between characters, never inside a pair or an escape', () => {
    expect(boundedText('ab🎫🎫', 9)).toBe('ab🎫…');
    expect(boundedText('ab🎫🎫', 8)).toBe('ab…');
    expect(boundedText('a\u0000\u0000', 9)).toBe('a\u001a0000…');
    expect(boundedText('a\u0000\u0000', 8)).toBe('a…');
  });

  it('is never longer than asked, is storable, and is a beginning of the text', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 3, max: 40 }), (text, maxBytes) => {
        const stored = boundedText(text, maxBytes);
        expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(maxBytes);
        expect(storable(stored)).toBe(true);
        const back = unescapeFromStorage(stored);
        expect(back === text || (back.endsWith('…') && text.startsWith(back.slice(0, -1)))).toBe(true);
      }),
    );
  });
});

it('a value whose JSON text says that nothing needs escaping is stored as it is, and what is escaped is seen in its text', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const [text, escaped] = [JSON.stringify(value), JSON.stringify(escapeForStorage(value))];
      expect(mayNeedEscape(text) || text === escaped).toBe(true);
      expect(mayHoldEscapes(escaped) || text === escaped).toBe(true);
    }),
  );
});
