import vm from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalText } from './canonical.ts';
import { InvalidArguments } from './invalid-arguments.ts';
import { assertPlainJson, MAX_JSON_BYTES, MAX_JSON_DEPTH } from './plain-json.ts';

function refusal(value: unknown): InvalidArguments {
  try {
    assertPlainJson(value);
  } catch (error) {
    if (error instanceof InvalidArguments) return error;
    throw error;
  }
  throw new Error('the value was accepted');
}

function nested(levels: number, close: unknown = []): unknown {
  let value = close;
  for (let level = 1; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}

function holes(length: number): unknown[] {
  const array: unknown[] = [];
  array.length = length;
  return array;
}

class Money {
  amount = 1;
}
class Money2 extends Array {}

describe('assertPlainJson', () => {
  it.each([
    ['a Date', new Date(0)],
    ['a BigInt', 1n],
    ['a Map', new Map()],
    ['a Set', new Set()],
    ['a class instance', new Money()],
    ['an array subclass', new Money2()],
    ['a boxed string', Object('x')],
    ['bytes', new Uint8Array(2)],
    ['an error', new Error('x')],
    ['an object with a custom prototype', Object.create({ inherited: 1 })],
    ['an object over an object without prototype', Object.create(Object.create(null))],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['an array with named properties', 'x'.match(/x/)],
    ['a hidden property', Object.defineProperty({}, 'x', { value: 1, enumerable: false })],
  ])('[B54] [B65] [B66] refuses %s with its path', (_name, offender) => {
    const error = refusal({ items: [0, { id: offender }] });
    expect(error.code).toBe('not_json');
    expect(error.path).toMatch(/^\$\.items\[1\]\.id/);
    expect(error.message).toContain(error.path);
  });

  it('names the class and says what to send', () => {
    expect(refusal({ at: new Date(0) }).message).toBe(
      'The value at $.at is an instance of Date, not plain data; send an ISO 8601 text.',
    );
  });

  it.each([
    ['sparse_array', Object.assign(holes(3), { 0: 1, 2: 3 }), '$[1]'],
    ['not_json', [1, undefined], '$[1]'],
    ['not_json', undefined, '$'],
    ['not_finite', { n: Number.NaN }, '$.n'],
    ['not_finite', { n: -Infinity }, '$.n'],
    ['lone_surrogate', { text: 'a\ud800' }, '$.text'],
    ['lone_surrogate', { text: '\udc00a' }, '$.text'],
    ['lone_surrogate', { 'a\ud800': 1 }, '$["a\\ud800"]'],
    ['unsafe_integer', { id: 2 ** 53 }, '$.id'],
    ['unsafe_integer', { id: -(2 ** 53) }, '$.id'],
    ['unsafe_integer', { id: 1e300 }, '$.id'],
    ['proto_key', JSON.parse('{"a":{"__proto__":{"role":"admin"}}}'), '$.a.__proto__'],
    ['to_json', { a: { toJSON: () => 'x' } }, '$.a.toJSON'],
    ['not_json', { a: { [Symbol('s')]: 1 } }, '$.a'],
    ['sparse_array', holes(10), '$[0]'],
    ['too_large', holes(4_000_000_000), '$'],
  ])('refuses %s', (code, value, path) => {
    const error = refusal(value);
    expect([error.code, error.path]).toEqual([code, path]);
  });

  it('[B58] runs nothing of the caller: no getter, no toJSON', () => {
    let ran = false;
    const run = () => {
      ran = true;
      throw new Error('ran');
    };
    expect(
      refusal({
        get secret(): unknown {
          return run();
        },
      }).code,
    ).toBe('accessor');
    expect(refusal({ toJSON: run }).code).toBe('to_json');
    expect(ran).toBe(false);
  });

  it('turns an object that cannot even be inspected into a refusal', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(refusal({ a: proxy })).toMatchObject({ code: 'unreadable', path: '$.a' });
  });

  it.each([900, 1_100, 5_000, 20_000])(
    '[B58] [B59] refuses %i levels as too deep, without overflowing',
    (levels) => {
      expect(refusal(nested(levels)).code).toBe('too_deep');
      expect(refusal(nested(levels, new Date())).code).toBe('too_deep');
    },
  );

  it('takes exactly the stated depth', () => {
    expect(() => assertPlainJson(nested(MAX_JSON_DEPTH))).not.toThrow();
    expect(refusal(nested(MAX_JSON_DEPTH + 1)).code).toBe('too_deep');
  });

  it('takes exactly the stated size, counted in canonical bytes', () => {
    const fits = 'é'.repeat((MAX_JSON_BYTES - 2) / 2);
    expect(() => assertPlainJson(fits)).not.toThrow();
    expect(refusal(`${fits}x`).code).toBe('too_large');
    expect(refusal([fits]).code).toBe('too_large');
  });

  it('stops at the size limit when shared references would unfold without end', () => {
    let value: unknown = 'x';
    for (let level = 0; level < 60; level += 1) value = [value, value];
    expect(refusal(value).code).toBe('too_large');
  });

  it('refuses a cycle and accepts the same object twice', () => {
    const shared = { a: 1 };
    expect(assertPlainJson([shared, shared])).toEqual([{ a: 1 }, { a: 1 }]);
    const loop: Record<string, unknown> = { b: [shared] };
    loop['self'] = { loop };
    expect(refusal(loop)).toMatchObject({ code: 'cycle', path: '$.self.loop' });
  });

  it('[B66] accepts objects without a prototype, structuredClone results and other realms', () => {
    const bare: unknown = Object.assign(Object.create(null), { a: [1] });
    for (const value of [bare, structuredClone({ a: [1] }), vm.runInNewContext('({ a: [1] })')]) {
      const copy = assertPlainJson(value);
      expect(copy).toEqual({ a: [1] });
      expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
      expect(canonicalText(value)).toBe('{"a":[1]}');
    }
    expect(canonicalText(Object.assign(Object.create(null), { a: [2] }))).toBe('{"a":[2]}');
  });

  it('[B60] keeps constructor and prototype as ordinary keys, in either order, and nothing is inherited', () => {
    const one = assertPlainJson({ constructor: { role: 'admin' }, prototype: 1, b: 2 });
    const other = assertPlainJson({ b: 2, prototype: 1, constructor: { role: 'admin' } });
    expect(canonicalText(one)).toBe('{"b":2,"constructor":{"role":"admin"},"prototype":1}');
    expect(canonicalText(other)).toBe(canonicalText(one));
    expect(({} as Record<string, unknown>)['role']).toBeUndefined();
  });

  it('omits undefined members, keeps U+0000, and makes −0 zero', () => {
    const copy = assertPlainJson({ a: undefined, b: 'x\u0000y', c: -0 });
    expect(copy).toStrictEqual({ b: 'x\u0000y', c: 0 });
  });

  it('gives a frozen copy that later changes of the caller cannot reach', () => {
    const source = { list: [{ a: 1 }] };
    const copy = assertPlainJson(source);
    source.list.push({ a: 2 });
    expect(copy).toEqual({ list: [{ a: 1 }] });
    expect(Object.isFrozen(copy)).toBe(true);
    expect(Object.isFrozen((copy as { list: unknown[] }).list[0])).toBe(true);
  });

  it('shows odd keys in a path escaped and short', () => {
    const error = refusal({ [`\u202e\n${'x'.repeat(500)}`]: 1n });
    expect(error.path).toBe(`$["\\u202e\\n${'x'.repeat(58)}…"]`);
    expect(refusal({ a: nested(60, { ['y'.repeat(50)]: 1n }) }).path.length).toBeLessThan(320);
  });

  it('accepts whatever JSON can say within the limits and gives an equal copy', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        fc.pre(!/"__proto__"|e\+/.test(JSON.stringify(value)) && !hasUnsafeInteger(value));
        expect(JSON.stringify(assertPlainJson(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('counts exactly the bytes of the canonical form', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        fc.pre(!/"__proto__"/.test(JSON.stringify(value)) && !hasUnsafeInteger(value));
        const rest = MAX_JSON_BYTES - Buffer.byteLength(canonicalText(value)) - '[,""]'.length;
        expect(() => assertPlainJson([value, 'x'.repeat(rest)])).not.toThrow();
        expect(refusal([value, 'x'.repeat(rest + 1)]).code).toBe('too_large');
      }),
      { numRuns: 40 },
    );
  });
});

function hasUnsafeInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnsafeInteger);
}
