import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ticketsCreate } from '../contract/sample-contracts.ts';
import { defineContract } from '../contract/define-contract.ts';
import { fieldDigests, fingerprint } from './fingerprint.ts';

const contract = defineContract({
  ...ticketsCreate,
  material: {
    subject: { rules: ['trim'], because: 'The ticket service trims.' },
    body: { rules: [] },
    approvers: { rules: ['set'], because: 'Their order means nothing.' },
    lines: { rules: [] },
    queue: { rules: [{ default: 'support' }], because: 'The ticket service has this default.' },
  },
});
const args = { subject: 'Refund request', body: 'a  b', lines: ['A', 'B'], approvers: ['x', 'y'] };
const of = (changed: object, tenantId = 'acme') =>
  fingerprint(contract, tenantId, { ...args, ...changed }).fingerprint;
const same = of({});

describe('fingerprint', () => {
  it('is SHA-256 over the RFC 8785 form of tool, tenant and material fields', () => {
    const { fingerprint: digest, fingerprintVersion, canonicalRequest } = fingerprint(contract, 'acme', args);
    const text =
      '{"material":{"approvers":["x","y"],"body":"a  b","lines":["A","B"],"queue":"support","subject":"Refund request"},"tenant_id":"acme","tool":"tickets.create"}';
    expect(canonicalRequest).toBe(text);
    expect(digest).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
    expect(fingerprintVersion).toBe(1);
  });

  it('[B29] keeps array order, except in a field that the contract calls a set; key order never matters', () => {
    expect(of({ lines: ['B', 'A'] })).not.toBe(same);
    expect(of({ approvers: ['y', 'x'] })).toBe(same);
    expect(of({ approvers: ['y', 'x', 'x'] })).not.toBe(same);
    const reversed = Object.fromEntries(Object.entries(args).reverse());
    expect(fingerprint(contract, 'acme', reversed).fingerprint).toBe(same);
  });

  it('ignores white space only where the contract says so', () => {
    expect(of({ subject: ' Refund request ' })).toBe(same);
    expect(of({ body: 'a\nb' })).not.toBe(same);
  });

  it('equates an omitted field with its default, and with undefined, but not with null', () => {
    expect(of({ queue: 'support' })).toBe(same);
    expect(of({ queue: undefined })).toBe(same);
    expect(of({ queue: null })).not.toBe(same);
  });

  it('differs between tenants and between tools', () => {
    expect(of({}, 'globex')).not.toBe(same);
    expect(fingerprint({ ...contract, name: 'tickets.close' }, 'acme', args).fingerprint).not.toBe(same);
  });

  it('cannot be forged by a field that is named like the tool or the tenant', () => {
    const fields = { tool: { rules: [] }, material: { rules: [] } };
    const odd = { ...contract, material: fields, ignored: {} };
    const { canonicalRequest } = fingerprint(odd, 'acme', { tool: 'other', material: 'x' });
    expect(canonicalRequest).toContain('"tool":"tickets.create"}');
  });

  it('does not depend on the version of the contract, its prose, or ignored fields', () => {
    const later = { ...contract, version: '2027-01-01', purpose: 'Reworded.' };
    expect(fingerprint(later, 'acme', args).fingerprint).toBe(same);
    expect(of({ trace_id: 'abc' })).toBe(same);
  });

  it('[B63] tells U+0000 from the text backslash u0000, and NFC from NFD', () => {
    expect(of({ body: '\u0000' })).not.toBe(of({ body: String.raw`\u0000` }));
    expect(of({ body: 'A\u030a' })).not.toBe(of({ body: '\u00c5' }));
  });

  it('computes version 1 as it did when it was stored', () => {
    expect(fingerprint(contract, 'acme', args, 1).fingerprint).toBe(
      'sha256:5f3e06a10e1e55e204dbd921ae12f0e8b8b6f0bed7712b7b25204fff9aa7909c',
    );
  });

  it.each([0, 2, Number.NaN])('does not compute version %s', (version) => {
    expect(() => fingerprint(contract, 'acme', args, version)).toThrow(/is not known/);
  });

  it('[B58] refuses deep arguments, and takes the stated depth', () => {
    const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
    expect(() => of({ lines: nested(5_000) })).toThrow(/nested deeper than 64/);
    expect(of({ lines: nested(63) })).not.toBe(same);
  });

  it('is equal exactly when the material is', () => {
    const anyArgs = fc.record({
      subject: fc.constantFrom('a', ' a', 'b'),
      body: fc.constantFrom('a', ' a'),
      lines: fc.array(fc.constantFrom('A', 'B'), { maxLength: 2 }),
      approvers: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(anyArgs, anyArgs, (one, other) => {
        const equal =
          one.subject.trim() === other.subject.trim() &&
          one.body === other.body &&
          one.lines.join() === other.lines.join() &&
          one.approvers.toSorted().join() === other.approvers.toSorted().join();
        expect(of(one) === of(other)).toBe(equal);
      }),
      { numRuns: 500 },
    );
  });
});

describe('fieldDigests', () => {
  const key = Buffer.alloc(32, 7);
  const { material } = fingerprint(contract, 'acme', args);

  it('shows which fields differ, and nothing of what they hold', () => {
    const stored = fieldDigests(material, key);
    const incoming = fieldDigests({ ...material, body: 'other' }, key);
    expect(Object.keys(stored).filter((name) => stored[name] !== incoming[name])).toEqual(['body']);
    expect(Object.values(stored).every((digest) => /^[0-9a-f]{16}$/.test(digest))).toBe(true);
  });

  it('differs by key, and between fields of equal value', () => {
    const equal = fieldDigests({ a: 'x', b: 'x' }, key);
    expect(equal['a']).not.toBe(equal['b']);
    expect(fieldDigests(material, Buffer.alloc(32, 8))['body']).not.toBe(fieldDigests(material, key)['body']);
  });

  it('refuses a key that could be guessed', () => {
    expect(() => fieldDigests(material, Buffer.alloc(8))).toThrow(/at least 16 bytes/);
  });
});
