import { describe, expect, test } from 'vitest';
import type { CaseRow } from '../shapes/case-row.ts';
import { reasonLine } from './reason-line.ts';
import { at } from './testing/operation-detail.ts';

const NOW = Date.parse(at('14:06:16'));

const row = (part: Partial<CaseRow>): CaseRow => ({
  operation_key: 'acme:production:run_827:charge_card',
  tool_name: 'payments.charge',
  target: null,
  status: 'unknown',
  pending_reason: null,
  reason: 'no_answer',
  request_fingerprint: 'sha256:9f2c41aa',
  effect_reference: null,
  provider_job_id: null,
  attempt: 1,
  contradicted: false,
  adopted: false,
  created_at: at('14:02:07'),
  updated_at: at('14:02:40'),
  sent_at: at('14:02:07'),
  lease_until: null,
  attempts_left: true,
  case_at: at('14:02:40'),
  due_at: at('14:22:07'),
  evidence: null,
  evidence_asked_at: null,
  evidence_reference: null,
  absence_counts_from: at('14:07:17'),
  absence_is_conclusive: false,
  lookup: 'authoritative',
  ...part,
});
const line = (part: Partial<CaseRow>) => reasonLine(row(part), NOW);

describe('why a case is here, in one line', () => {
  test('says what happened and what is known, with the age of the evidence', () => {
    expect(line({})).toBe('Sent, no answer · not looked up yet');
    expect(line({ evidence: 'found', evidence_asked_at: at('14:06:12') })).toBe(
      'Sent, no answer · receipt found 4 s ago',
    );
    expect(line({ lookup: 'none', reason: 'unreadable_answer' })).toBe(
      'Answer could not be read · no lookup for this tool',
    );
  });

  test('an absence is never more than it proves', () => {
    const absent = { evidence: 'absent', evidence_asked_at: at('14:06:06') } as const;
    expect(line(absent)).toBe('Sent, no answer · absent 10 s ago, not conclusive until 14:07:17');
    expect(line({ ...absent, absence_counts_from: at('14:05:00') })).toContain(
      'absent 10 s ago, asked too early',
    );
    expect(line({ ...absent, absence_is_conclusive: true })).toContain('absent 10 s ago, conclusive');
    expect(line({ ...absent, absence_counts_from: null })).toContain('absent 10 s ago, proves nothing');
  });

  test('stuck pending operations say what they wait in', () => {
    expect(line({ status: 'pending', pending_reason: 'accepted', sent_at: at('13:26:16') })).toContain(
      'Provider job 40 min old',
    );
    expect(line({ status: 'pending', pending_reason: 'leased' })).toContain('Lease expired after send');
    expect(
      line({ status: 'pending', pending_reason: 'ready', attempts_left: false, attempt: 3, sent_at: null }),
    ).toBe('All 3 attempts used');
    expect(line({ status: 'pending', pending_reason: 'recovering' })).toBe(
      'Sent, no answer · recovery ran out · not looked up yet',
    );
  });

  test('a contradiction comes first', () => {
    expect(
      line({
        status: 'applied',
        contradicted: true,
        reason: null,
        evidence: 'found',
        evidence_asked_at: at('14:06:12'),
      }),
    ).toBe('Stored evidence contradicts applied · receipt found 4 s ago');
  });
});
