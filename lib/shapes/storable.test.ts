import { describe, expect, test } from 'vitest';
import { operationSearch } from './operation-search.ts';
import { operationPath, scope } from './scope.ts';

describe('U+0000, which the database cannot hold, is no address of ours', () => {
  test.each(['tenant', 'environment', 'key'])('in the path as %s', (name) => {
    const path = { tenant: 'acme', environment: 'production', key: 'k' };
    expect(operationPath.safeParse(path).success).toBe(true);
    expect(operationPath.safeParse({ ...path, [name]: 'a\0b' }).success).toBe(false);
    if (name !== 'key') expect(scope.safeParse({ ...path, [name]: '\0' }).success).toBe(false);
  });

  test.each(['q', 'tool', 'status', 'after'])('in the search as %s', (name) => {
    expect(operationSearch.safeParse({ [name]: 'ab' }).success).toBe(true);
    expect(operationSearch.safeParse({ [name]: 'a\0b' }).success).toBe(false);
  });
});
