import { beforeEach, describe, expect, it, vi } from 'vitest';
import { canonicalBytes } from './canonical.ts';

const library = vi.hoisted(() => vi.fn<(value: unknown) => string | undefined>());
vi.mock('canonicalize', () => ({ default: library }));

describe('[B58] a canonicalizer that fails is fatal to the request, never an empty digest', () => {
  beforeEach(() => {
    library.mockReset();
  });

  it('when it throws', () => {
    const cause = new RangeError('Maximum call stack size exceeded');
    library.mockImplementation(() => {
      throw cause;
    });
    expect(() => canonicalBytes({ a: 1 })).toThrow(expect.objectContaining({ code: 'not_canonical', cause }));
  });

  it.each(['', undefined])('when it answers %j', (text) => {
    library.mockReturnValue(text);
    expect(() => canonicalBytes({ a: 1 })).toThrow(expect.objectContaining({ code: 'not_canonical' }));
  });
});
