import { describe, expect, test } from 'vitest';
import { proofOf } from './evidence-proof.ts';
import { detail, evidence, facts, record } from './testing/operation-detail.ts';

const proof = (item: Parameters<typeof evidence>[0], whole: Parameters<typeof detail>[0] = {}) =>
  proofOf(evidence(item), detail(whole)).isConclusive;

describe('what evidence proves', () => {
  test('a found receipt of an authority is conclusive, another is not', () => {
    expect(proof({})).toBe(true);
    expect(proof({ authoritative: false })).toBe(false);
  });

  test('absence is conclusive only from an authority, asked late enough, with no job known', () => {
    expect(proof({ answer: 'absent' })).toBe(true);
    expect(proof({ answer: 'absent', authoritative: false })).toBe(false);
    expect(proof({ answer: 'absent', asked_late_enough: false })).toBe(false);
    expect(proof({ answer: 'absent' }, { record: record({ provider_job_id: 'job_1' }) })).toBe(false);
  });

  test('a refusal is conclusive only where the facts say so of the current item', () => {
    expect(proof({ answer: 'refused' }, { facts: facts({ evidence: 'refused_conclusive' }) })).toBe(true);
    expect(proof({ answer: 'refused' }, { facts: facts({ evidence: 'refused' }) })).toBe(false);
    expect(
      proof({ answer: 'refused', is_current: false }, { facts: facts({ evidence: 'refused_conclusive' }) }),
    ).toBe(false);
  });

  test('what a person typed, and a lookup that failed, prove nothing', () => {
    expect(proof({ source: 'person' })).toBe(false);
    expect(proof({ answer: 'failed' })).toBe(false);
    expect(proof({ answer: 'ambiguous' })).toBe(false);
    expect(proof({ answer: 'pending' })).toBe(false);
  });
});
