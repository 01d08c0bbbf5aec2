import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8');

test('each dependency has its line in docs/dependencies.md, and each is pinned', () => {
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  const all = {
    ...manifest['dependencies'],
    ...manifest['devDependencies'],
    ...manifest['optionalDependencies'],
  };
  const page = read('docs/dependencies.md');
  const named = (name: string) => name.startsWith('@types/') || page.includes(`\`${name}\``);
  expect(Object.keys(all).filter((name) => !named(name))).toEqual([]);
  expect(Object.values(all).filter((version) => !/^\d+\.\d+\.\d+/.test(version))).toEqual([]);
});
