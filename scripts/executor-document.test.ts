import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NEXT_ACTIONS, OUTCOME_REASONS, OUTCOME_STATUSES } from '../lib/domain/states.ts';

const document = readFileSync('docs/executor.md', 'utf8');
const surface = readFileSync('lib/executor/index.ts', 'utf8');

test.each(['first-tool.ts', 'first-call.ts'])('docs/executor.md shows the very text of %s', (file) => {
  const text = readFileSync(`docs/examples/${file}`, 'utf8').trimEnd();
  expect(document).toContain(`\n\`\`\`ts\n${text}\n\`\`\`\n`);
});

test('docs/executor.md names every function and class of the public surface', () => {
  const exported = [...surface.matchAll(/export \{([^}]+)\}/g)].flatMap(([, names]) =>
    (names ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ')),
  );
  expect(exported.length).toBeGreaterThan(8);
  expect(exported.filter((name) => !document.includes(name))).toEqual([]);
});

test('its table of outcomes has every status, reason and next action', () => {
  const table = document.slice(
    document.indexOf('## Outcomes'),
    document.indexOf('## What an effect answers'),
  );
  const words = [...OUTCOME_STATUSES, ...OUTCOME_REASONS, ...NEXT_ACTIONS];
  expect(words.filter((word) => !table.includes(`\`${word}\``))).toEqual([]);
});
