import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defineContract } from '../define-contract.ts';
import { everyField, ticketsCreate } from '../sample-contracts.ts';
import { ALIASES } from './aliases.ts';
import { contractOf, draftOfContract, loadContract, type Draft } from './load-contract.ts';

const EXAMPLE = readFileSync('docs/examples/tickets.create.yaml', 'utf8');
const fixture = (name: string) =>
  loadContract(readFileSync(`${import.meta.dirname}/fixtures/${name}`, 'utf8'), name);
const places = (found: Draft['open']) => found.map(({ path, line }) => `${line} ${path}`);
/** The example with one line replaced, or with lines added at its end. */
const example = (line: string | null, by: string) =>
  loadContract(line === null ? `${EXAMPLE}${by}\n` : EXAMPLE.replace(`\n${line}`, `\n${by}`), 'x.yaml');
const lineOf = (text: string) => EXAMPLE.split('\n').findIndex((line) => line.startsWith(text)) + 1;

describe('loadContract', () => {
  it('reads a whole contract as defineContract does', () => {
    const draft = loadContract(EXAMPLE, 'tickets.create.yaml');
    expect([draft.errors, draft.open]).toEqual([[], []]);
    expect(contractOf(draft)).toEqual(draft.contract);
    expect(draft.digest).toMatch(/^sha256:/);
    const json = loadContract(JSON.stringify(draft.contract), 'x.json');
    expect(json.digest).toBe(draft.digest);
  });

  it('loads the article’s tool contract as it stands: known words are mapped, prose is open, nothing is an error', () => {
    const draft = fixture('article-tool-contract.yaml');
    expect(draft.errors).toEqual([]);
    expect(draft.stated).toMatchObject({
      name: 'tickets.create',
      effect_class: 'key_based',
      operation_key: { scope: ['tenant', 'environment', 'workflow', 'step'] },
      material: { queue_id: { rules: [] }, subject: { rules: [] }, body: { rules: [] } },
      downstream: { key: 'operation_key' },
      security: { recheck_authorization: 'immediately_before_effect' },
      decision: 'manual',
    });
    expect(draft.stated.use_when).toHaveLength(1);
    expect(draft.stated.do_not_use_when).toHaveLength(2);
    expect(places(draft.open)).toEqual(
      expect.arrayContaining([
        '27 receipt',
        '30 approval',
        '32 retention.delays',
        '25 downstream.deduplicates',
        '11 operation_key.created_on',
      ]),
    );
    expect(draft.contract).toBeNull();
  });

  it('loads the article’s design review as it stands: bracketed values are open at their lines', () => {
    const draft = fixture('article-design-review.yaml');
    expect(draft.errors).toEqual([]);
    expect(draft.stated).toMatchObject({
      effect_class: 'key_based',
      operation_key: { new_key_on: 'Explicit new business intent.' },
      receipt: { field: 'ticket_id', required: true },
      tests: { concurrent_claim: ['T1.4', 'T2.4'], expired_key: ['T1.8', 'T2.8'] },
      security: { verify_target_version: true },
    });
    expect(Object.keys(draft.stated.material ?? {})).toEqual(['queue_id', 'subject', 'body']);
    expect(places(draft.open)).toEqual(
      expect.arrayContaining([
        '39 owner.team',
        '40 next_review',
        '30 retention.delays',
        '28 version_condition',
      ]),
    );
    expect(() => contractOf(draft)).toThrow(
      /article-design-review\.yaml cannot[^]*- line 39, owner\.team: Which team/,
    );
  });

  it.each([
    ['owner:\n  team: Support operations', 'owner:\n  team: [team or person]', 'owner.team', 1],
    ['owner:\n  team: Support operations', 'owner:\n  team:', 'owner.team', 1],
    ['next_review: 2027-06-01', 'next_review: <date>', 'next_review', 0],
    ['next_review: 2027-06-01', 'next_review: in half a year', 'next_review', 0],
    ['lease_seconds: 4', 'lease_seconds: TODO', 'lease_seconds', 0],
    ['late_arrival: tombstone', 'late_arrival: "[choose one]"', 'late_arrival', 0],
    ['lease_seconds: 4', 'lease_seconds: longer than a call', 'lease_seconds', 0],
    ['duplicate_cost: medium', 'duplicate_cost: [choose one]', 'duplicate_cost', 0],
    ['effects: # all', 'effects: [[what happens]]\nnone: # all', 'effects', 0],
    ['duplicate_cost: medium', '', 'duplicate_cost', null],
  ])(
    'holds an answer that nobody gave for an open decision, with its line: %s → %s',
    (line, by, path, below) => {
      const draft = example(line, by);
      const found = draft.open.find((open) => open.path === path);
      expect(found?.line).toBe(below === null ? 2 : lineOf(line.split('\n')[0] ?? '') + below);
      expect(draft.contract).toBeNull();
    },
  );

  it.each([
    ['lease_seconds: 4', 'lease_seconds: "4"', /lease_seconds: It must be a number\./],
    ['lease_seconds: 4', 'lease_seconds: -4', /lease_seconds: /],
    ['version: 2026-12-01', 'version: 1.0', /version: It must be text; write it in quotes\./],
    [
      'late_arrival: tombstone',
      'late_arrival: forget',
      /late_arrival: It must be reject or tombstone or reconcile_first\./,
    ],
    [
      'duplicate_cost: medium',
      'duplicate_costs: medium',
      /duplicate_costs: `duplicate_costs` is not a field here.* Did you mean duplicate_cost\?$/,
    ],
    [
      'lease_seconds: 4',
      'pizza: true\nlease_seconds: 4',
      /^pizza: `pizza` is not a field here; remove it or correct its name\.$/,
    ],
    ['receipt: { field: id', 'receipt: { field: "*"', /receipt\.field: .*wildcard/],
    ['receipt: { field: id, required: true }', '', /receipt: Without a required receipt/],
    ['retention_seconds: 2592000', 'retention_seconds: 900', /retention_seconds: It is 900 seconds/],
    [
      'owner:\n  team: Support operations',
      'owner: { teem: x }',
      /owner\.teem: `teem` is not a field.* Did you mean team\?$/,
    ],
  ])('refuses what is wrong with its line: %s → %s', (line, by, expected) => {
    const { errors } = example(line, by);
    expect(errors).toHaveLength(1);
    expect(`${errors[0]?.path}: ${errors[0]?.message}`).toMatch(expected);
    const at = by === '' ? 'effect_class' : (line.split('\n')[0] ?? '');
    expect(errors[0]?.line).toBe(lineOf(at));
  });

  it('refuses a document that is none, and tells nothing else of it', () => {
    const draft = loadContract('name: x\nname: y\n', 'x.yaml');
    expect(draft).toMatchObject({
      readable: false,
      open: [],
      contract: null,
      errors: [{ line: 2, column: 1 }],
    });
  });

  it('leaves data of requests alone that looks like an unanswered field', () => {
    const draft = example(
      '  body: { rules: [] }',
      '  body: { rules: [{ default: "[none]" }], because: Empty bodies are shown so. }',
    );
    expect(draft.open).toEqual([]);
    expect(draft.contract?.material['body']?.rules).toEqual([{ default: '[none]' }]);
  });

  it('asks nothing of a read that only a writing tool has to answer', () => {
    const read = {
      ...ticketsCreate,
      effect_class: 'read' as const,
      effects: [],
      freshness: 'At most a minute old.',
      audit_on_read: false,
    };
    expect(draftOfContract(defineContract(read), 'read').open).toEqual([]);
    expect(draftOfContract(defineContract(ticketsCreate), 'write').open.map(({ path }) => path)).toContain(
      'operation_key',
    );
  });

  it('knows every field of a contract, from code without lines', () => {
    const { mode: _mode, recovery_seconds: _recovery, ...contract } = everyField;
    const draft = draftOfContract(defineContract(contract), 'code');
    expect([draft.errors, draft.open, draft.place('owner')]).toEqual([[], [], null]);
  });
});

/** What each alias accepts, and what it refuses or leaves open. */
const ALIAS_VALUES: { readonly [from: string]: readonly [good: string, bad: string, expected: RegExp] } = {
  effect_class: ['key_based_create', 'idempotent', /effect_class: It must be read or/],
  'operation_key.supplied_by': ['application', 'model', /supplied_by: .*never from the model/],
  'operation_key.derived_by': ['application', 'model', /derived_by: .*never from the model/],
  'operation_key.scope': ['tenant + environment + workflow_id + step_id', 'tenant + "*"', /scope.*wildcard/],
  'operation_key.reused_for_retry': ['true', 'false', /reused_for_retry: Every retry/],
  'operation_key.new_key_requires': [
    'explicit_new_business_intent',
    '[intent]',
    /new_key_on: Which user action/,
  ],
  'request_fingerprint.fields': ['[tool_version, tenant_id, queue_id]', '["*"]', /material\.\*: .*wildcard/],
  'request_fingerprint.canonical_fields': ['[queue_id, body]', 'all of them', /material: Which fields/],
  'request_fingerprint.algorithm': ['SHA-256', 'MD5', /algorithm: A fingerprint is SHA-256/],
  'request_fingerprint.mismatch_result': ['rejected', 'overwrite', /mismatch_result: A mismatch is rejected/],
  'request_fingerprint.mismatch': [
    'rejected_without_effect',
    'overwrite',
    /mismatch: A mismatch is rejected/,
  ],
  'storage.unique_record': ['operation_key', 'customer_id', /unique_record: The claim is unique by tenant/],
  'storage.unique_by': [
    '[tenant_id, operation_key]',
    '[tenant_id]',
    /unique_by: The claim is unique by tenant/,
  ],
  'claim.unique_record': ['operation_key', 'customer_id', /unique_record: The claim is unique by tenant/],
  'claim.unique_by': [
    '[tenant_id, operation_key]',
    '[operation_key, x]',
    /unique_by: The claim is unique by tenant/,
  ],
  'storage.durable_store': ['tool_operations', 'memory', /durable_store: The claim is a row/],
  'claim.durable_store': ['tool_operations', 'redis', /durable_store: The claim is a row/],
  'storage.statuses': ['[pending, applied, failed_permanent, unknown]', '[pending, lost]', /no status lost/],
  'claim.statuses': ['[pending, applied, in_flight, rejected, unknown]', 'many', /no status many/],
  'downstream.idempotency_key': ['operation_key', 'a new one', /downstream\.key: What is sent/],
  'effect.downstream_key': ['operation_key', '[key]', /downstream\.key: What is sent/],
  'downstream.receipt': ['ticket_id', 'ticket_id or provider request reference', /receipt: Which one field/],
  'effect.authoritative_receipt': ['ticket_id', '"*"', /receipt\.field: .*wildcard/],
  'security.recheck_authorization': [
    'immediately before effect',
    'never',
    /recheck_authorization: Authorization is asked/,
  ],
  'security.approval': [
    '{ valid_seconds: 60 }',
    'required for queues marked sensitive',
    /approval: Who approves/,
  ],
  'retention.rule': ['', 'longer than the window', /retention\.delays: A rule is not a time/],
  tests: ['[duplicate_same_key]', '[it_works]', /tests\.it_works: Which/],
  'owner.reconciliation': ['Support operations', '[team or person]', /owner\.team: Which team/],
  'owner.next_review': ['2027-01-01', '[date]', /next_review: On which day/],
};

const RESPONSES = {
  replay: 'stored',
  applied: 'stored',
  in_flight: 'poll',
  pending: 'poll',
  unknown: 'reconcile',
};

describe('the alias table', () => {
  const values = { ...ALIAS_VALUES };
  for (const group of ['responses', 'recovery'])
    for (const [name, word] of Object.entries(RESPONSES))
      values[`${group}.${name}`] = [`${word} it`, 'try again', new RegExp(`${group}\\.${name}: `)];

  /** What is found about one alias alone. */
  const found = (from: string, value: string) => {
    const [first = '', second] = from.split('.');
    const draft = loadContract(
      second === undefined ? `${first}: ${value}` : `${first}:\n  ${second}: ${value}`,
      'x',
    );
    return [...draft.errors, ...draft.open].map(({ path, message }) => `${path}: ${message}`).join('\n');
  };

  it.each(ALIASES.map(({ from, to }) => [from, to] as const))('%s is read as %s', (from, to) => {
    const [good, bad, expected] = values[from] ?? ['', '', /untested/];
    if (good !== '') {
      expect(found(from, good)).not.toMatch(expected);
      expect(found(from, good)).not.toContain('is not a field');
      if (to !== null) expect(found(from, good)).not.toMatch(new RegExp(`^${to.replace('.', '\\.')}: `, 'm'));
    }
    expect(found(from, bad)).toMatch(expected);
  });

  it('leaves a bracketed value open also where only one answer is right', () => {
    const draft = example(null, 'claim:\n  durable_store: [store]\n');
    expect([draft.errors, draft.open]).toMatchObject([[], [{ path: 'claim.durable_store' }]]);
    expect(example(null, 'claim:\n  statuses: [pending, lost]\n').errors).toMatchObject([
      { path: 'claim.statuses' },
    ]);
  });

  it('refuses a field that is stated under both names', () => {
    const draft = example(null, 'effect:\n  authoritative_receipt: id\n');
    expect(draft.errors.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'effect.authoritative_receipt: It says what receipt says too; keep that one and remove this.',
    ]);
  });

  it('takes stated delays for the answer to a rule in prose', () => {
    const draft = example('retention: #', 'retention:\n  rule: longer than the window\n#');
    expect([draft.errors, draft.open]).toEqual([[], []]);
  });
});
