import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SETTING_NAMES } from './env.ts';

test('.env.example explains every setting, and no other', () => {
  const example = readFileSync(path.resolve(import.meta.dirname, '../.env.example'), 'utf8');
  const explained = [...example.matchAll(/^#([A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
  expect(explained.toSorted()).toEqual([...SETTING_NAMES].toSorted());
});
