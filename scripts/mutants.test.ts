import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants-list.ts';
import { mutate } from './mutate.ts';

test('every mutant is of the source as it is, and no two take the same away', () => {
  for (const { changes, rule } of MUTANTS) {
    expect(changes.length, rule).toBeGreaterThan(0);
    for (const { file, from, to } of changes)
      expect(mutate(readFileSync(file, 'utf8'), from, to, file), rule).not.toBe(readFileSync(file, 'utf8'));
  }
  expect(new Set(MUTANTS.map(({ changes }) => JSON.stringify(changes))).size).toBe(MUTANTS.length);
});

test('each of the thirteen rules has a mutant', () => {
  for (let n = 1; n <= 13; n++)
    expect(
      MUTANTS.some(({ rule }) => rule.startsWith(`rule ${n}:`)),
      `rule ${n}`,
    ).toBe(true);
});
