import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contractSchema } from './contract.ts';
import { ALIASES } from './document/aliases.ts';

const page = readFileSync('docs/contracts.md', 'utf8');
const cells = (line: string) =>
  line
    .split('|')
    .map((cell) => cell.trim())
    .join('|');

it('docs/contracts.md names every field of a contract and every alias', () => {
  const names = [...Object.keys(contractSchema.shape), ...ALIASES.map(({ from }) => from)];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('docs/contracts.md has the table by which the decision is taken', () => {
  const source = readFileSync('lib/executor/contract/review/decision.ts', 'utf8');
  const rows = source
    .split('\n')
    .filter((line) => line.startsWith(' * | ') && !line.includes('---'))
    .map((line) => cells(line.slice(3)));
  expect(rows).toHaveLength(8);
  const documented = page.split('\n').map(cells);
  expect(rows.filter((row) => !documented.includes(row))).toEqual([]);
});
