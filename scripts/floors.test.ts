import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

/** Oldest versions without a known hole that concerns us: below them a build must not pass. */
const FLOORS = { next: '16.3.3', react: '19.3.1', 'react-dom': '19.3.1', 'next-auth': '4.24.15' } as const;

const root = path.resolve(import.meta.dirname, '..');

function installedVersion(name: string): string {
  const manifest: unknown = JSON.parse(
    readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8'),
  );
  return (manifest as { version: string }).version;
}

function isAtLeast(version: string, floor: string): boolean {
  return version.localeCompare(floor, 'en', { numeric: true }) >= 0;
}

describe('floors', () => {
  test.each(Object.entries(FLOORS))('%s is installed at %s or later', (name, floor) => {
    expect(installedVersion(name)).toSatisfy((version: string) => isAtLeast(version, floor));
  });

  test('versions compare by number, not by text', () => {
    expect(isAtLeast('16.10.0', '16.3.3')).toBe(true);
    expect(isAtLeast('16.3.2', '16.3.3')).toBe(false);
  });
});
