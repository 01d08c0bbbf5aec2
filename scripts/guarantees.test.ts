import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('every test that docs/guarantees.md names exists, and every row of a promise names one', () => {
  const rows = readFileSync('docs/guarantees.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| promise') && !line.startsWith('| --'));
  expect(rows.length).toBeGreaterThan(20);
  const missing = rows.filter((row) => {
    const [, file, title] = /`([^`]+\.test\.ts)` "([^"]+)"/.exec(row) ?? [];
    return (
      file === undefined ||
      title === undefined ||
      !existsSync(file) ||
      !readFileSync(file, 'utf8').includes(title)
    );
  });
  expect(missing).toEqual([]);
});
