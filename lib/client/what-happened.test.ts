import { describe, expect, test } from 'vitest';
import {
  at,
  CLAIM,
  decision,
  detail,
  DOUBT,
  event,
  evidence,
  facts,
  record,
} from './testing/operation-detail.ts';
import { asText, whatHappened } from './what-happened.ts';

const told = (part: Parameters<typeof detail>[0] = {}) => asText(whatHappened(detail(part)));

describe('what happened, in a few words', () => {
  test('a doubt is called a doubt, with its times and their zone', () => {
    expect(told()).toBe(
      'Sent at 14:02:07.114 UTC. No answer after 2.3 s. It may have happened; nobody has looked it up.',
    );
  });

  test('a receipt that was found is named, and what it proves', () => {
    const found = {
      evidence: [evidence()],
      record: record({ evidence: 'found', evidence_asked_at: at('14:06:12') }),
    };
    expect(told({ ...found, facts: facts({ evidence: 'found' }) })).toContain(
      'It may have happened; Deskline payments now shows pay_7731, which matches.',
    );
    expect(told({ ...found, facts: facts({ evidence: 'found_advisory' }) })).toContain(
      'but its lookup alone is no proof',
    );
  });

  test('an absence says until when it proves nothing', () => {
    const absent = { record: record({ evidence: 'absent', evidence_asked_at: at('14:03:01') }) };
    expect(told({ ...absent, facts: facts({ evidence: 'absent' }) })).toContain(
      'Deskline payments showed none at 14:03:01 UTC, which proves nothing before 14:07:17 UTC.',
    );
    expect(told({ ...absent, facts: facts({ evidence: 'absent_conclusive' }) })).toContain(
      'shows none, and that is conclusive',
    );
    expect(told({ ...absent, facts: facts({ evidence: 'absent' }), absence_counts_from: null })).toContain(
      'which proves nothing.',
    );
  });

  test('a worker that went silent is named, and nothing is said to have failed', () => {
    const expire = event({
      event_id: 2,
      kind: 'expire',
      at: at('14:02:37'),
      reason: 'lease_expired',
      worker: 'recover-1',
    });
    const text = told({
      events: [CLAIM, expire],
      record: record({ attempt_ended_at: null, reason: 'lease_expired' }),
    });
    expect(text).toContain(
      'No acknowledgment was recorded: worker w-3 went silent, and the lease was found expired at 14:02:37 UTC.',
    );
    expect(text).not.toMatch(/fail/i);
  });

  test('what was never sent cannot have happened', () => {
    const release = event({
      event_id: 2,
      kind: 'release',
      at: at('14:02:08'),
      detail: { because: 'connect refused' },
    });
    expect(
      told({
        events: [CLAIM, release],
        record: record({
          status: 'pending',
          pending_reason: 'ready',
          sent_at: null,
          first_sent_at: null,
          sent_attempt: null,
          attempt: 3,
        }),
        facts: facts({ status: 'pending', pending_reason: 'ready', doubt: 'none', attempts_left: false }),
      }),
    ).toBe(
      'Recorded at 14:02:07.101 UTC and never sent. Attempt 1 ended without effect: connect refused. Nothing has happened: all 3 attempts are used.',
    );
  });

  test('a second attempt says when both were sent', () => {
    expect(told({ record: record({ attempt: 2, sent_attempt: 2, sent_at: at('14:04:00.5') }) })).toContain(
      'First sent at 14:02:07.114 UTC, attempt 2 at 14:04:00.500 UTC.',
    );
  });

  test('a decided case says who recorded it and when', () => {
    const one = decision();
    expect(
      told({
        record: record({
          status: 'applied',
          effect_reference: 'pay_7731',
          resolved_by: `decision:${one.decision_id}`,
        }),
        facts: facts({ status: 'applied', doubt: 'none' }),
        decisions: [one],
      }),
    ).toContain('It happened: receipt pay_7731, recorded by Marek Brandt at 14:07:00 UTC.');
  });

  test('a contradicted status says that evidence disagrees', () => {
    expect(
      told({
        record: record({ status: 'failed_permanent', reason: 'refused', contradicted_at: at('14:05:00') }),
        facts: facts({ status: 'failed_permanent', doubt: 'none', contradicted: true }),
      }),
    ).toMatch(/It did not happen: the system of record refused it.* Stored evidence disagrees\.$/);
  });

  test('an adopted row claims nothing about its send', () => {
    expect(
      told({
        events: [],
        record: record({ adopted: true, sent_at: null, reason: 'adopted' }),
        facts: facts({ adopted: true, lookup: 'none' }),
      }),
    ).toBe(
      'Written by another executor at 14:02:07 UTC. Nothing recorded shows whether it was sent. It may have happened; this tool has no lookup that could tell.',
    );
  });

  test('the strong pieces are the times, the doubt and the outcome', () => {
    const strong = whatHappened(detail({ events: [CLAIM, DOUBT] })).filter((part) => part.strong);
    expect(strong.map((part) => part.text)).toEqual(['14:02:07.114 UTC', 'may have happened']);
  });

  test('[B127] no sentence ever tells to try again', () => {
    for (const status of ['pending', 'unknown', 'applied', 'failed_permanent', 'approved_new_key'] as const)
      for (const pending_reason of [
        'none',
        'ready',
        'recovering',
        'accepted',
        'queued',
        'awaiting_approval',
        'leased',
      ] as const)
        for (const known of ['none', 'found', 'absent', 'inconclusive', 'refused'] as const)
          expect(
            told({ facts: facts({ status, pending_reason, evidence: known }), record: record({ status }) }),
          ).not.toMatch(/try again|retry/i);
  });
});
