import { describe, expect, it } from 'vitest';
import { everyField, ticketsCreate } from './sample-contracts.ts';
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
const { operation_key: operationKey, retention } = everyField;
const keyWith = (change: object) => ({ operation_key: { ...operationKey, ...change } });
const approvedWhen = (condition: object) => ({ approval: { valid_seconds: 300, when: [condition] } });
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
    [
      'a key without its environment',
      keyWith({ scope: ['tenant', 'workflow', 'step'] }),
      /^operation_key\.scope: The scope lacks environment/,
    ],
    ['a wildcard as scope', keyWith({ scope: ['*'] }), /^operation_key\.scope\.0: .*wildcard/],
    [
      'a key part that stands twice',
      keyWith({ scope: ['tenant', 'environment', 'workflow', 'step', 'step'] }),
      /^operation_key\.scope: A part stands twice/,
    ],
    ['a key whose reuse is not told', keyWith({ reused_for: undefined }), /^operation_key\.reused_for: /],
    [
      'a key part fed from no field of the tool',
      keyWith({ fed_from: { step: 'constructor' } }),
      /^operation_key\.fed_from\.step: constructor is not a field/,
    ],
    [
      'a key part fed from a personal field',
      {
        ...keyWith({ fed_from: { step: 'customer_id' } }),
        material: { ...material, customer_id: { rules: [], personal: true } },
      },
      /^operation_key\.fed_from\.step: customer_id is personal/,
    ],
    [
      'an approval that depends on no material field',
      approvedWhen({ field: 'trace_id', any_of: ['x'] }),
      /^approval\.when\.0\.field: trace_id is not/,
    ],
    ['a condition without a value', approvedWhen({ field: 'subject' }), /^approval\.when\.0: State one of/],
    [
      'a condition on a number of a field that need not be one',
      approvedWhen({ field: 'subject', at_least: 5 }),
      /^approval\.when\.0\.at_least: .*integer/,
    ],
    [
      '[B45] retention shorter than the delays it covers, naming both numbers',
      { retention_seconds: 54, retention },
      /^retention_seconds: It is 54 seconds.*delays \(36\), reconcile_seconds \(9\) and margin_seconds \(10\) add up to 55/,
    ],
    [
      'a delay that is left out',
      { retention: { ...retention, delays: { model_retry: 1 } } },
      /^retention\.delays\.disaster_recovery: It is missing/,
    ],
    [
      'sending again by recovery without means',
      {
        effect_class: 'non_idempotent',
        mode: 'one_shot',
        lookup: undefined,
        resend_by_recovery: true,
      },
      /^resend_by_recovery: Nothing lets it be sent again/,
    ],
    [
      'a replay of a queue without an effect query',
      { queue: { redelivery: true, effect_query: false, crash_before_ack: 'replay' } },
      /^queue\.crash_before_ack: .*reconcile/,
    ],
    [
      'an effect query without a lookup',
      {
        lookup: undefined,
        recovery_seconds: 60,
        queue: { redelivery: true, effect_query: true, crash_before_ack: 'replay' },
      },
      /^queue\.effect_query: There is no lookup/,
    ],
    ['a polled job without a time', { job_poll: 'job_id' }, /^job_seconds: /],
    [
      'a version to verify without the field that holds it',
      { security: { recheck_authorization: 'immediately_before_effect', verify_target_version: true } },
      /^version_condition: /,
    ],
    [
      'authorization that is asked once only',
      { security: { recheck_authorization: 'never' } },
      /^security\.recheck_authorization: .*immediately before the effect/,
    ],
    [
      'a window for siblings that are never looked for',
      { require_intent: 'never', sibling_window_seconds: 60 },
      /^sibling_window_seconds: /,
    ],
    ['a fault row that does not exist', { tests: { lost: ['T1.11'] } }, /^tests\.lost\.0: .*T1\.1 to T1\.10/],
    ['a day that is none', { next_review: '2026-02-30' }, /^next_review: .*YYYY-MM-DD/],
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
    { retention_seconds: 55, retention },
    { resend_by_recovery: true },
    approvedWhen({ field: 'subject', any_of: ['Refund'] }),
    { queue: { redelivery: true, effect_query: false, crash_before_ack: 'reconcile' } },
    { job_poll: 'job_id', job_seconds: 60 },
    { downstream: { ...withoutWindow, deduplicates: false, key: { digest: 'sha256', length: 32 } } },
  ])('accepts %j', (change) => {
    expect(problems(change)).toEqual([]);
  });
});
