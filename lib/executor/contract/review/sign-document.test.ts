import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadContract } from '../document/load-contract.ts';
import { signDocument, type SigningRole } from './sign-document.ts';
import { NOW, passedRun } from './testing/reviewed.ts';

const EXAMPLE = readFileSync('docs/examples/tickets.create.yaml', 'utf8');
const digestOf = (text: string) => loadContract(text, 'x.yaml').digest ?? '';
const sign = (text: string, role: SigningRole, change = {}) =>
  signDocument(text, 'x.yaml', {
    role,
    person: 'R. Nakamura: "ticket service" # owner',
    run: passedRun(digestOf(text), change),
    now: NOW,
  });
const textOf = (signed: ReturnType<typeof signDocument>): string => {
  if ('refused' in signed) throw new Error(signed.refused.join('\n'));
  return signed.text;
};
const changedLines = (before: string, after: string) => {
  const old = before.split('\n');
  return after.split('\n').filter((line) => !old.includes(line));
};

describe('signDocument', () => {
  it('writes person, day, day of the run and digest, and leaves every other line as it is', () => {
    const signed = sign(EXAMPLE, 'security');
    expect(signed).toMatchObject({ decision: null, missing: ['downstream', 'operations'] });
    expect(textOf(signed).startsWith(EXAMPLE)).toBe(true);
    expect(loadContract(textOf(signed), 'x.yaml').contract?.signoffs).toEqual({
      security: {
        person: 'R. Nakamura: "ticket service" # owner',
        date: '2026-12-01',
        run_on: '2026-12-01',
        digest: digestOf(EXAMPLE),
      },
    });
  });

  it('writes the decision when the third role has signed the same digest, and keeps the comment behind it', () => {
    const second = textOf(sign(textOf(sign(EXAMPLE, 'downstream')), 'security'));
    expect(second).toContain('\ndecision: manual # written');
    const third = sign(second, 'operations');
    expect(third).toMatchObject({ decision: 'automate', missing: [] });
    expect(changedLines(second, textOf(third))).toEqual([
      'decision: automate # written by `contracts -- sign` once all three have signed',
      '  operations:',
    ]);
    expect(digestOf(textOf(third))).toBe(digestOf(EXAMPLE));
  });

  it('counts no sign-off of another digest', () => {
    const signed = textOf(sign(textOf(sign(EXAMPLE, 'downstream')), 'security'));
    const changed = signed.replace('lease_seconds: 4', 'lease_seconds: 5');
    expect(sign(changed, 'operations')).toMatchObject({
      decision: null,
      missing: ['downstream', 'security'],
    });
  });

  it('keeps comments among the sign-offs, and what stands behind them', () => {
    const commented = textOf(sign(EXAMPLE, 'security')).replace(
      '  security:\n    person',
      '  # asked on Monday\n  security:\n    person',
    );
    const signed = textOf(sign(`${commented}# the end\n`, 'operations'));
    expect(signed).toContain('  # asked on Monday\n  security:');
    expect(signed.endsWith('\n# the end\n')).toBe(true);
  });

  it('signs a contract in JSON', () => {
    const json = JSON.stringify(loadContract(EXAMPLE, 'x.yaml').contract);
    const signed = JSON.parse(textOf(sign(json, 'security'))) as { signoffs: object; lease_seconds: number };
    expect([Object.keys(signed.signoffs), signed.lease_seconds]).toEqual([['security'], 4]);
  });

  it('does not write a decision that the contract has no means for, and says what it lacks', () => {
    const doubtful = EXAMPLE.replace('authoritative: true', 'authoritative: false');
    const second = textOf(sign(textOf(sign(doubtful, 'downstream')), 'security'));
    expect(sign(second, 'operations')).toEqual({
      refused: [
        expect.stringMatching(/^With the decision automate_with_approval, approval: .*valid_seconds/),
      ],
    });
    const approved = doubtful.replace(
      'decision: manual',
      'approval: { valid_seconds: 600 }\ndecision: manual',
    );
    const again = textOf(sign(textOf(sign(approved, 'downstream')), 'security'));
    expect(sign(again, 'operations')).toMatchObject({ decision: 'automate_with_approval' });
  });

  it.each([
    ['of another digest', { contract_digest: `sha256:${'0'.repeat(64)}` }, /run of another contract/],
    ['with a failed row', { rows: [{ id: 'T2.2', passed: false }] }, /These rows failed: T2\.2/],
    ['that is too old', { started_at: '2026-01-01T00:00:00Z' }, /Run it again/],
  ])('refuses a run %s', (_name, change, expected) => {
    expect(sign(EXAMPLE, 'security', change)).toEqual({ refused: [expect.stringMatching(expected)] });
  });

  it('refuses a document with an error or an open decision, naming its line', () => {
    expect(sign(EXAMPLE.replace('  team: Support operations', '  team: [team]'), 'security')).toEqual({
      refused: [expect.stringMatching(/^line \d+, owner\.team: Which team/)],
    });
    expect(sign(EXAMPLE.replace('lease_seconds: 4', 'lease_seconds: 0'), 'security')).toEqual({
      refused: [expect.stringMatching(/^line \d+, lease_seconds: /)],
    });
  });
});
