import { describe, expect, test } from 'vitest';
import { actorWords, auditWords } from './audit-words.ts';
import { at } from './testing/operation-detail.ts';

const entry = (action: string, detail: Record<string, unknown>) => ({
  sequence: 7,
  at: at('14:07:00'),
  actor: 'user:3',
  actor_name: 'Marek Brandt',
  action,
  operation_key: 'acme:production:run_827:charge_card',
  body: { action, detail },
  hash: 'ab'.repeat(32),
});

describe('an audit entry in words', () => {
  test('a decision says verdict, reason, receipt and evidence', () => {
    const detail = {
      verdict: 'applied',
      reason: 'It is there.',
      effect_reference: 'pay_1',
      evidence_ids: ['11111111-1'],
    };
    expect(auditWords(entry('decision', detail))).toEqual({
      what: 'decided: It happened',
      verdict: 'applied',
      reason: 'It is there.',
      effectReference: 'pay_1',
      evidenceIds: ['11111111-1'],
      note: null,
    });
  });

  test('a refusal says which one', () => {
    expect(
      auditWords(entry('decision_refused', { verdict: 'failed_permanent', refusal: 'effect_found' })),
    ).toMatchObject({
      what: 'decision refused: It did not happen',
      note: 'effect found',
    });
  });

  test('[S20] a proposal, its refusal and its voiding are named, and a decision of two names the proposer', () => {
    const words = (action: string, detail: Record<string, unknown>) => auditWords(entry(action, detail));
    const verdict = 'failed_permanent';
    expect(words('proposal', { verdict, person: 'Ines Okafor' })).toMatchObject({
      what: 'proposed to a second person: It did not happen',
      note: null,
    });
    expect(words('proposal_approval_refused', { verdict, refusal: 'own_proposal' })).toMatchObject({
      what: 'approval of a proposal refused: It did not happen',
      note: 'own proposal',
    });
    expect(words('proposal_voided', { verdict, because: 'version_changed' })).toMatchObject({
      what: 'proposal voided: It did not happen',
      note: 'version changed',
    });
    expect(
      words('decision', { verdict, person: 'Ines Okafor', approver: 'Marek Brandt', approved_by: 'user:3' }),
    ).toMatchObject({ note: 'proposed by Ines Okafor' });
  });

  test('an entry of a later version is shown, not hidden', () => {
    expect(auditWords({ ...entry('epoch_accepted', {}), body: {} })).toMatchObject({
      what: 'epoch accepted',
      verdict: null,
    });
  });

  test('[B136] an actor without a name keeps its type', () => {
    expect(actorWords({ actor: 'system:reconcile', actor_name: null })).toBe('system:reconcile');
    expect(actorWords(entry('decision', {}))).toBe('Marek Brandt');
  });
});
