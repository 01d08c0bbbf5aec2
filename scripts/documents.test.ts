import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', ...globSync('docs/*.md')];

test('every relative link of the documents leads to a file', () => {
  const broken = DOCUMENTS.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)]
      .map(([, target]) => path.join(path.dirname(document), target ?? ''))
      .filter((target) => !existsSync(target))
      .map((target) => `${document} → ${target}`),
  );
  expect(broken).toEqual([]);
});

test('every case id in a test’s title stands in docs/cases.md', () => {
  const listed = readFileSync('docs/cases.md', 'utf8');
  const tests = globSync('{app,components,db,e2e,lib,scripts}/**/*.{test,spec}.{ts,tsx}');
  const used = new Set(
    tests.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\[([BS]\d+)\]/g)].map(([, id]) => id)),
  );
  expect(used.size).toBeGreaterThan(20);
  expect([...used].filter((id) => !listed.includes(`| ${id} `))).toEqual([]);
});
