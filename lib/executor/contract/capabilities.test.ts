import { describe, expect, it } from 'vitest';
import { capabilitiesOf, recoverySeconds } from './capabilities.ts';
import { ticketsCreate } from './sample-contracts.ts';
import type { Contract } from './contract.ts';

type Row = [
  Contract['effect_class'],
  Contract['mode'] | null,
  boolean,
  'never' | 'keyed' | 'absolute',
  boolean,
];

describe('capabilitiesOf', () => {
  it.each<Row>([
    ['read', null, false, 'never', false],
    ['natural_idempotent', null, false, 'absolute', false],
    ['natural_idempotent', null, true, 'absolute', false],
    ['key_based', null, true, 'keyed', false],
    ['key_based', null, false, 'never', false],
    ['non_idempotent', 'keyed', true, 'keyed', false],
    ['non_idempotent', 'keyed', false, 'never', false],
    ['non_idempotent', 'absolute', false, 'absolute', false],
    ['non_idempotent', 'one_shot', true, 'never', false],
    ['non_idempotent', 'one_shot', false, 'never', true],
    ['irreversible', null, true, 'keyed', false],
    ['irreversible', null, false, 'never', true],
  ])(
    '%s, mode %s, deduplicates %s: resend %s, delicate %s',
    (effectClass, mode, deduplicates, resend, delicate) => {
      const contract = {
        effect_class: effectClass,
        ...(mode && { mode }),
        version_condition: 'expected_version',
        downstream: { ...ticketsCreate.downstream, deduplicates },
      };
      expect(capabilitiesOf(contract)).toEqual({ lookup: 'none', resend, delicate });
    },
  );

  it('sends nothing absolute again without a version condition', () => {
    const { downstream } = ticketsCreate;
    expect(capabilitiesOf({ effect_class: 'natural_idempotent', downstream }).resend).toBe('never');
    expect(capabilitiesOf({ effect_class: 'non_idempotent', mode: 'absolute', downstream }).resend).toBe(
      'never',
    );
  });

  it('tells an authoritative lookup from one that only informs', () => {
    const { lookup } = ticketsCreate;
    const withLookup = (authoritative: boolean) =>
      capabilitiesOf({ ...ticketsCreate, lookup: { ...lookup, authoritative } }).lookup;
    expect([withLookup(true), withLookup(false)]).toEqual(['authoritative', 'advisory']);
  });
});

describe('recoverySeconds', () => {
  it('is what the lookup states, else the contract, else the lease', () => {
    const { lookup } = ticketsCreate;
    expect(recoverySeconds({ lookup, lease_seconds: 30 })).toBe(600);
    expect(recoverySeconds({ recovery_seconds: 90, lease_seconds: 30 })).toBe(90);
    expect(recoverySeconds({ lease_seconds: 30 })).toBe(30);
  });
});
