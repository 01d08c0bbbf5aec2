import { describe, expect, it } from 'vitest';
import { fingerprint } from '../identity/fingerprint.ts';
import { defineContract, readContract } from './define-contract.ts';
import { readIdentityRules } from './identity-rules.ts';
import { InvalidContract } from './invalid-contract.ts';
import { ticketsCreate } from './sample-contracts.ts';

const ARGS = {
  queue_id: 'support',
  subject: ' Refund  request',
  body: 'Twice.',
  customer_id: 'cus_1',
  trace_id: 'x',
};
const fingerprintUnder = (body: unknown) => fingerprint(readIdentityRules(body), 'acme', ARGS).fingerprint;
const stored = JSON.parse(JSON.stringify(defineContract(ticketsCreate))) as typeof ticketsCreate;
const then = fingerprint(defineContract(ticketsCreate), 'acme', ARGS).fingerprint;

describe('readIdentityRules', () => {
  it('gives the old fingerprint under a body with fields that this program does not know', () => {
    const future = {
      ...stored,
      material: { ...stored.material, body: { ...stored.material.body, unit: 'characters' } },
      decision: 'ask_twice',
      moon_phase: { must: 'be full' },
    };
    expect(() => readContract(future)).toThrow(InvalidContract);
    expect(fingerprintUnder(future)).toBe(then);
  });

  it('gives the old fingerprint under a body without what a contract must have today', () => {
    const { name, material, ignored, canonicalization_version } = stored;
    const old = { name, material, ignored, canonicalization_version };
    expect(() => readContract(old)).toThrow(InvalidContract);
    expect(fingerprintUnder(old)).toBe(then);
  });

  it.each([
    ['a field rule', { material: { subject: { rules: ['stem'] } } }, /material\.subject\.rules\.0/],
    ['a canonical form', { canonicalization_version: 2 }, /canonicalization_version/],
    ['no material fields', { material: undefined }, /material/],
    ['no contract', 'text', /expected object/],
  ])('does not guess %s that this program does not know', (_name, change, expected) => {
    const body = typeof change === 'string' ? change : { ...stored, ...change };
    expect(() => readIdentityRules(body)).toThrow(expected);
  });
});
