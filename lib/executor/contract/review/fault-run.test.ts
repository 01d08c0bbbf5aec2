import { describe, expect, it } from 'vitest';
import { contractDigest } from '../contract-digest.ts';
import { defineContract } from '../define-contract.ts';
import { objectionTo, readFaultRun } from './fault-run.ts';
import { NOW, passedRun, reviewed } from './testing/reviewed.ts';

const contract = defineContract(reviewed);
const digest = contractDigest(contract);
const [first, ...rest] = passedRun(digest).rows;

describe('objectionTo', () => {
  it('has none to a young run of this digest in which every row passed', () => {
    expect(objectionTo(passedRun(digest), contract, digest, NOW)).toBeNull();
  });

  it.each([
    ['of another tool', { tool: 'refunds.create' }, /run of refunds\.create, not of tickets\.create/],
    ['of another digest', { contract_digest: 'sha256:00' }, /digest is sha256:00, this one's sha256:/],
    [
      'that is too old',
      { started_at: '2026-10-31T09:00:00Z' },
      /31 days old; the contract asks for at most 30/,
    ],
    ['of the future', { started_at: '2026-12-09T09:00:00Z' }, /in the future/],
    ['with a failed row', { rows: [{ id: 'T1.1', passed: false }, ...rest] }, /rows failed: T1\.1/],
    ['without a row', { rows: rest }, /not played: T1\.1/],
    ['without any row', { rows: [] }, /not played: T1\.1, T1\.2/],
  ])('objects to a run %s', (_name, change, expected) => {
    expect(objectionTo(passedRun(digest, change), contract, digest, NOW)).toMatch(expected);
  });

  it('asks for the age that the contract states, and for the rows that its tests name', () => {
    const strict = defineContract({
      ...reviewed,
      faults: { max_age_days: 1 },
      tests: { target_changed: ['T3.1'] },
    });
    const yesterday = passedRun(digest, { started_at: '2026-11-30T09:00:00Z' });
    expect(objectionTo(yesterday, strict, digest, NOW)).toMatch(/at most 1\b/);
    expect(objectionTo(passedRun(digest), strict, digest, NOW)).toMatch(/not played: T3\.1\./);
    expect(first?.passed).toBe(true);
  });

  it('lets a row that does not apply be, unless the contract names it among its tests', () => {
    const inapplicable = { id: 'T1.9', passed: false, verdict: 'not_applicable' };
    const run = passedRun(digest);
    const rows = run.rows.map((row) => (row.id === 'T1.9' ? inapplicable : row));
    expect(objectionTo({ ...run, rows }, contract, digest, NOW)).toBeNull();
    const none = run.rows.map(({ id }) => ({ ...inapplicable, id }));
    const untested = defineContract({ ...reviewed, tests: {} });
    expect(objectionTo({ ...run, rows: none }, untested, digest, NOW)).toBe(
      'No row was played on this tool.',
    );
    const named = defineContract({ ...reviewed, tests: { delayed_job: ['T1.9'] } });
    expect(objectionTo({ ...run, rows }, named, digest, NOW)).toMatch(/rows failed: T1\.9/);
  });
});

describe('readFaultRun', () => {
  it('reads what the command writes, with more in it', () => {
    const run = passedRun(digest);
    const written = { ...run, rows: run.rows.map((row) => ({ ...row, scenario: 'x', evidence: {} })) };
    expect(readFaultRun(JSON.stringify(written))).toEqual(run);
  });

  it.each([
    ['{', /^It is not JSON/],
    ['{}', /^It is not the report of a fault run: tool/],
    [JSON.stringify({ ...passedRun(digest), started_at: 'yesterday' }), /started_at/],
  ])('says what %s lacks', (text, expected) => {
    expect(readFaultRun(text)).toMatch(expected);
  });
});
