import { describe, expect, it } from 'vitest';
import { ticketsCreate } from './sample-contracts.ts';
import { defineContract, readContract } from './define-contract.ts';
import { InvalidContract } from './invalid-contract.ts';

function problems(change: Record<string, unknown>): string[] {
  try {
    readContract({ ...ticketsCreate, ...change });
  } catch (error) {
    if (error instanceof InvalidContract)
      return error.problems.map(({ path, sentence }) => `${path}: ${sentence}`);
    throw error;
  }
  return [];
}

const { downstream, lookup, material, replay } = ticketsCreate;
const { key_window_seconds: _window, ...withoutWindow } = downstream;
const notNeeded = { not_needed_because: 'Two people sign each charge already.', signed_by: 'R. Nakamura' };

describe('defineContract', () => {
  it('fills in defaults and freezes the whole', () => {
    const contract = defineContract(ticketsCreate);
    expect(contract.require_intent).toBe('on_sibling');
    expect(Object.isFrozen(contract.material['subject']?.rules)).toBe(true);
    expect(readContract(JSON.parse(JSON.stringify(contract)))).toEqual(contract);
  });

  it.each([
    [
      'a non-idempotent effect without mode',
      { effect_class: 'non_idempotent' },
      /^mode: .*keyed, absolute or one_shot/,
    ],
    ['a mode on another class', { mode: 'one_shot' }, /^mode: .*remove it/],
    ['a write that names no effect', { effects: [] }, /^effects: /],
    ['applied without a receipt', { receipt: undefined }, /^receipt: .*natural_idempotent/],
    [
      'an optional receipt',
      { receipt: { field: 'ticket_id', required: false } },
      /^receipt: .*natural_idempotent/,
    ],
    [
      'deduplication without a key window',
      { downstream: withoutWindow },
      /^downstream\.key_window_seconds: .*how long/,
    ],
    ['a read without freshness', { effect_class: 'read' }, /^freshness: /],
    [
      'an irreversible effect without lookup',
      { effect_class: 'irreversible', lookup: undefined, recovery_seconds: 60, approval: notNeeded },
      /^lookup: /,
    ],
    ['an irreversible effect without approval', { effect_class: 'irreversible' }, /^approval: /],
    [
      'automate_with_approval without an approval',
      { decision: 'automate_with_approval' },
      /^approval: .*valid_seconds/,
    ],
    [
      'automate_with_approval where none is needed',
      { decision: 'automate_with_approval', approval: notNeeded },
      /^approval: /,
    ],
    ['sending again without a time for it', { lookup: undefined }, /^recovery_seconds: /],
    [
      'a wildcard in the material fields',
      { material: { ...material, 'customer.*': { rules: [] } } },
      /^material\.customer\.\*: .*wildcard/,
    ],
    ['a wildcard in the ignored fields', { ignored: { '*': 'All else.' } }, /^ignored\.\*: .*wildcard/],
    ['a wildcard as receipt', { receipt: { field: '*', required: true } }, /^receipt\.field: .*wildcard/],
    ['a wildcard in replay', { replay: { ...replay, fields: ['*'] } }, /^replay\.fields\.0: .*wildcard/],
    ['a field in both lists', { ignored: { body: 'Too long.' } }, /^material\.body: .*both/],
    [
      'a rule that equates without because',
      { material: { ...material, body: { rules: ['lowercase'] } } },
      /^material\.body\.because: /,
    ],
    [
      'a default without because',
      { material: { ...material, body: { rules: [{ default: '' }] } } },
      /^material\.body\.because: /,
    ],
    [
      'a default that is not first',
      { material: { ...material, body: { rules: ['trim', { default: '' }], because: 'x' } } },
      /default must be the first/,
    ],
    [
      'a set that is not last',
      { material: { ...material, body: { rules: ['set', 'trim'], because: 'x' } } },
      /set must be the last/,
    ],
    [
      'ignore beside other rules',
      { material: { ...material, body: { rules: ['ignore', 'trim'], because: 'x' } } },
      /no other rule/,
    ],
    [
      'an unknown rule',
      { material: { ...material, body: { rules: ['rot13'] } } },
      /^material\.body\.rules\.0: It must be one of/,
    ],
    [
      "an approval's id",
      { material: { ...material, approval_id: { rules: [] } } },
      /^material\.approval_id: /,
    ],
    [
      'identity among the fields',
      { material: { ...material, tenant_id: { rules: [] } } },
      /^tenant_id: Identity comes/,
    ],
    ['identity among the ignored', { ignored: { operationKey: 'x' } }, /^operationKey: Identity comes/],
    [
      'a comparison with no material field',
      { lookup: { ...lookup, compare: { amount: 'amount' } } },
      /^lookup\.compare\.amount: amount is not/,
    ],
    [
      'a postcondition on no material field',
      { postcondition: { x: 'constructor' } },
      /^postcondition\.x: constructor is not/,
    ],
    ['a label that is no material field', { target_label: 'trace_id' }, /^target_label: trace_id is not/],
    [
      'a sensitive field that is not replayed',
      { replay: { ...replay, sensitive: ['secret'] } },
      /^replay\.sensitive: secret/,
    ],
    [
      'a version that supersedes itself',
      { supersedes: { '2026-08-18': 'reconcile' } },
      /cannot supersede itself/,
    ],
    ['no limit of attempts', { attempts: { backoff_seconds: 5 } }, /^attempts\.max: It is missing/],
    ['an unknown field', { idempotent: true }, /`idempotent` is not a field/],
    [
      "an SDK's own retries",
      { downstream: { ...downstream, own_retries_off: false } },
      /own_retries_off: .*switch them off/,
    ],
    ['another canonical form', { canonicalization_version: 2 }, /^canonicalization_version: /],
    ['what is not data', { owner: { team: new Date(0) } }, /^\$\.owner\.team: .*Date/],
  ])('refuses %s', (_name, change, expected) => {
    expect(problems(change).join('\n')).toMatch(new RegExp(expected, 'm'));
  });

  it.each([0, -1, 1.5, 1e12])('[B16] refuses %s as a number of attempts or as a time', (value) => {
    expect(problems({ attempts: { max: value, backoff_seconds: 5 } })).toHaveLength(1);
    expect(problems({ lease_seconds: value })).toHaveLength(1);
  });

  it('names every problem at once, and the contract', () => {
    const bad = { effect_class: 'irreversible', effects: [], target_label: 'x' };
    expect(problems(bad)).toHaveLength(3);
    expect(() => readContract({ ...ticketsCreate, ...bad })).toThrow(
      /^The contract tickets\.create cannot be used\.\n- /,
    );
  });

  it.each([
    { effect_class: 'natural_idempotent', receipt: undefined },
    { effect_class: 'non_idempotent', mode: 'one_shot', lookup: undefined },
    { effect_class: 'irreversible', approval: notNeeded },
    { decision: 'automate_with_approval', approval: { valid_seconds: 300 } },
    { material: { ...material, count: { rules: ['integer'] } } },
    { effect_class: 'read', receipt: undefined, effects: [], freshness: 'Now.', audit_on_read: false },
    { downstream: { ...withoutWindow, deduplicates: false, key: { digest: 'sha256', length: 32 } } },
  ])('accepts %j', (change) => {
    expect(problems(change)).toEqual([]);
  });
});
