import { describe, expect, it } from 'vitest';
import { contractDigest } from './contract-digest.ts';
import { everyField, ticketsCreate } from './sample-contracts.ts';
import { contractSchema, type Contract } from './contract.ts';

/** Leaves that are a revision; every other leaf of the sample must change the digest. */
const PROSE = [
  'purpose',
  'use_when.0',
  'do_not_use_when.0',
  'operation_key.created_on',
  'operation_key.reused_for',
  'operation_key.new_key_on',
  'operation_key.boundaries',
  'preconditions.queue_open',
  'decision',
  'tests.lost_response.0',
  'tests.lost_response.1',
  'faults.max_age_days',
  'duplicate_cost',
  'owner.person',
  'signoffs.downstream.person',
  'signoffs.downstream.date',
  'signoffs.downstream.run_on',
  'signoffs.downstream.digest',
  'next_review',
  'material.subject.because',
  'ignored.trace_id',
  'approval.not_needed_because',
  'approval.signed_by',
  'freshness',
  'owner.team',
  'response_seconds',
  'target_label',
  'cost_of_duplicate',
  'cost_of_missing',
];

type Json = Record<string, unknown>;

function leaves(value: unknown, path: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [path.join('\u0000')];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

function altered(contract: Json, path: string[]): Contract {
  const copy = structuredClone(contract);
  const last = path.at(-1) ?? '';
  const holder = path.slice(0, -1).reduce<Json>((inner, key) => inner[key] as Json, copy);
  holder[last] =
    typeof holder[last] === 'number'
      ? holder[last] + 1
      : typeof holder[last] === 'boolean'
        ? !holder[last]
        : `${String(holder[last])}x`;
  return copy as Contract;
}

const sample = contractSchema.parse(everyField);
const digest = contractDigest(sample);
const paths = leaves(sample).map((path) => path.split('\u0000'));

describe('contractDigest', () => {
  it('is sha256: and 64 hex digits', () => {
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('is tested on a sample that states every field of the schema', () => {
    expect(Object.keys(sample).sort()).toEqual(Object.keys(contractSchema.shape).sort());
    for (const nested of [
      contractSchema.shape.downstream,
      contractSchema.shape.replay,
      contractSchema.shape.attempts,
      contractSchema.shape.owner,
      contractSchema.shape.lookup.unwrap(),
      contractSchema.shape.receipt.unwrap(),
      contractSchema.shape.operation_key.unwrap(),
      contractSchema.shape.security.unwrap(),
      contractSchema.shape.queue.unwrap(),
      contractSchema.shape.retention.unwrap(),
    ]) {
      const stated = Object.values(sample).some(
        (value) => typeof value === 'object' && Object.keys(nested.shape).every((key) => key in value),
      );
      expect(stated, Object.keys(nested.shape).join(', ')).toBe(true);
    }
    expect(Object.keys(sample.material['subject'] ?? {}).sort()).toEqual(
      Object.keys(contractSchema.shape.material.valueType.shape).sort(),
    );
    expect(PROSE.every((path) => paths.some((stated) => stated.join('.') === path))).toBe(true);
  });

  it.each(paths.map((path) => [path.join('.'), path] as const))('%s is classified rightly', (name, path) => {
    const same = contractDigest(altered(sample, path)) === digest;
    expect(same ? 'prose' : 'effect').toBe(PROSE.includes(name) ? 'prose' : 'effect');
  });

  it('changes when an optional field that bears on effects is dropped, and when a field changes lists', () => {
    const { lookup: _lookup, ...without } = sample;
    expect(contractDigest(without)).not.toBe(digest);
    const moved = { ...sample, material: {}, ignored: { ...sample.ignored, subject: 'x' } };
    expect(contractDigest(moved)).not.toBe(digest);
    const asked: Contract = { ...sample, approval: { valid_seconds: 300 } };
    expect(contractDigest(asked)).not.toBe(digest);
    const askedForSome: Contract = {
      ...sample,
      approval: { valid_seconds: 300, when: [{ field: 'subject', any_of: ['Refund'] }] },
    };
    expect(contractDigest(askedForSome)).not.toBe(contractDigest(asked));
    const another = { ...sample, preconditions: { customer_known: 'The customer is known.' } };
    expect(contractDigest(another)).not.toBe(digest);
  });

  it('does not depend on the order in which the parts of the key or the preconditions are named', () => {
    const { operation_key: key } = everyField;
    const ordered = { ...everyField, preconditions: { a: 'A.', b: 'B.' } };
    const reversed = {
      ...everyField,
      operation_key: { ...key, scope: key.scope.toReversed() },
      preconditions: { b: 'B.', a: 'A.' },
    };
    expect(contractDigest(contractSchema.parse(reversed))).toBe(
      contractDigest(contractSchema.parse(ordered)),
    );
  });

  it('does not depend on the order of keys, nor on whether a default was written', () => {
    const reversed = Object.fromEntries(Object.entries(sample).reverse()) as unknown as Contract;
    expect(contractDigest(reversed)).toBe(digest);
    const written = contractSchema.parse({ ...ticketsCreate, require_intent: 'on_sibling' });
    expect(contractDigest(written)).toBe(contractDigest(contractSchema.parse(ticketsCreate)));
  });
});
