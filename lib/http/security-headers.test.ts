import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contentSecurityPolicy, newNonce, securityHeaders, SONNER_STYLE_HASHES } from './security-headers.ts';

const directive = (policy: string, name: string) =>
  policy.split('; ').find((part) => part.startsWith(`${name} `)) ?? '';

describe('the content security policy', () => {
  const policy = contentSecurityPolicy('Tm9uY2U=', false);

  test('[S27] runs scripts by nonce alone', () => {
    expect(directive(policy, 'script-src')).toBe(`script-src 'nonce-Tm9uY2U=' 'strict-dynamic'`);
    expect(directive(policy, 'default-src')).toBe(`default-src 'none'`);
    expect(directive(policy, 'style-src')).not.toContain('unsafe');
  });

  test('[S27] is framed by nobody, and its forms and base stay here', () => {
    for (const part of [
      `frame-ancestors 'none'`,
      `form-action 'self'`,
      `base-uri 'none'`,
      `object-src 'none'`,
    ]) {
      expect(policy.split('; ')).toContain(part);
    }
  });

  test('loosens only development, and there only what hot reload needs', () => {
    const loose = contentSecurityPolicy('n', true);
    expect(directive(loose, 'script-src')).toContain(`'unsafe-eval'`);
    expect(directive(loose, 'style-src')).toBe(`style-src 'self' 'unsafe-inline'`);
    expect(policy).not.toMatch(/unsafe-eval|ws:/);
  });

  test('allows exactly the styles that the installed sonner makes', () => {
    const source = readFileSync(new URL(import.meta.resolve('sonner')), 'utf8');
    const literal = /__insertCSS\(("(?:[^"\\]|\\.)*")\)/.exec(source)?.[1] ?? '""';
    const hash = (style: string) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
    expect(SONNER_STYLE_HASHES).toEqual([hash(''), hash(JSON.parse(literal) as string)]);
  });
});

test('[S27] a nonce is fresh and long', () => {
  const nonces = Array.from({ length: 200 }, newNonce);
  expect(new Set(nonces).size).toBe(200);
  expect(nonces.every((nonce) => /^[A-Za-z0-9+/]{24}$/.test(nonce))).toBe(true);
});

test('[S27] strict transport is asked for under https only', () => {
  expect(securityHeaders({ https: true })).toHaveProperty('strict-transport-security');
  expect(securityHeaders({ https: false })).not.toHaveProperty('strict-transport-security');
});
