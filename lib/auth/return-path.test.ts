import { expect, test } from 'vitest';
import { returnPath } from './return-path.ts';

const BASE = 'http://localhost:3000';

test.each([
  ['/', '/'],
  ['/acme/production/queue', '/acme/production/queue'],
  [
    '/acme/production/case/acme%3Aproduction%3Arun?tab=raw',
    '/acme/production/case/acme%3Aproduction%3Arun?tab=raw',
  ],
  ['/sign-in-help', '/sign-in-help'],
])('%s is a page of ours', (wanted, path) => {
  expect(returnPath(wanted, BASE)).toBe(path);
});

test.each([
  null,
  undefined,
  '',
  'acme',
  '//evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n//evil.example',
  '/./ /../\\evil.example/..//evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'https://evil.example/',
  'https:evil.example',
  'javascript:alert(1)',
  `${BASE}/acme`,
  '/api/me',
  '/api',
  '/sign-in?to=/sign-in',
  `/${'a'.repeat(3_000)}`,
])('%j is not followed', (wanted) => {
  expect(returnPath(wanted, BASE)).toBe('/');
});
