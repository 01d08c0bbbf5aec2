import { expect, test } from 'vitest';
import { caseAfter } from './use-decide.ts';

test('after a verdict comes the next case, from the end the first, and none after the last one', () => {
  expect(caseAfter(['a', 'b', 'c'], 'b')).toBe('c');
  expect(caseAfter(['a', 'b', 'c'], 'c')).toBe('a');
  expect(caseAfter(['a', 'b'], 'elsewhere')).toBe('a');
  expect(caseAfter(['a'], 'a')).toBeNull();
  expect(caseAfter([], 'a')).toBeNull();
});
