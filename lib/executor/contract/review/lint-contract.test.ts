import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { invoicesGenerate } from '../../../demo/tools/invoices-generate.ts';
import { messagesSend } from '../../../demo/tools/messages-send.ts';
import { paymentsCharge } from '../../../demo/tools/payments-charge.ts';
import { refundsCreate } from '../../../demo/tools/refunds-create.ts';
import { ticketsClose } from '../../../demo/tools/tickets-close.ts';
import { ticketsCreate as demoTicketsCreate } from '../../../demo/tools/tickets-create.ts';
import { draftOfContract, loadContract } from '../document/load-contract.ts';
import { everyField, ticketsCreate } from '../sample-contracts.ts';
import { lintContract, type Review } from './lint-contract.ts';
import { NOW, passedRun, reviewed } from './testing/reviewed.ts';

const { downstream, lookup, material, replay } = ticketsCreate;
const { key_window_seconds: _window, ...noWindow } = downstream;
const unkeyed = { downstream: { ...noWindow, deduplicates: false } };

function review(change: object, now = NOW): Review {
  return lintContract(loadContract(stringify({ ...reviewed, ...change }), 'x.yaml'), { now });
}

describe('the worksheet', () => {
  const rows = review({}).worksheet;

  it('is the article’s ten questions, all answered and without a red flag by a contract that is reviewed', () => {
    expect(rows.map(({ question }) => question)).toEqual([
      'What business effect occurs?',
      'What identifies the logical action?',
      'Which fields define sameness?',
      'Where is the claim unique?',
      'What is stored for replay?',
      'What means in flight?',
      'What means unknown?',
      'How is permission rechecked?',
      'When can the key expire?',
      'How is the claim tested?',
    ]);
    expect(rows.filter(({ red_flag: flag, answer }) => flag !== null || answer.startsWith('Not'))).toEqual(
      [],
    );
    for (const { evidence } of rows) expect(evidence).not.toBe('');
  });

  it.each<[string, object, RegExp]>([
    ['What business effect occurs?', { effects: ['The API call succeeds.'] }, /only that a call succeeds/],
    [
      'What identifies the logical action?',
      { operation_key: { ...reviewed.operation_key, created_on: 'The tool-call id of the model.' } },
      /tool-call id or a timestamp/,
    ],
    [
      'What identifies the logical action?',
      {
        operation_key: { ...reviewed.operation_key, fed_from: { step: 'timestamp' } },
        ignored: { timestamp: 'Differs each time.', trace_id: 'Telemetry.' },
      },
      /tool-call id or a timestamp/,
    ],
    [
      'Which fields define sameness?',
      {
        material: { payload: { rules: [] } },
        operation_key: { ...reviewed.operation_key, fed_from: undefined },
        lookup: { ...lookup, compare: {} },
        postcondition: undefined,
      },
      /whole request is compared/,
    ],
    ['Where is the claim unique?', { claim: { durable_store: 'in_memory_map' } }, /row of tool_operations/],
    [
      'What is stored for replay?',
      { receipt: undefined, replay: { ...replay, fields: ['success'] } },
      /Only a success flag/,
    ],
    ['What means in flight?', { lease_seconds: 2 }, /recovery would start while/],
    ['What means in flight?', { recovery: { pending: 'retry at once' } }, /the caller polls/],
    ['What means unknown?', { ...unkeyed, lookup: undefined }, /No lookup can tell/],
    ['What means unknown?', { recovery: { unknown: 'try again' } }, /reconciled before/],
    ['How is permission rechecked?', { security: undefined }, /first decision would be trusted/],
    ['When can the key expire?', { retention: undefined }, /not reckoned from the delays/],
    ['How is the claim tested?', { tests: { twice: ['T1.1', 'T2.1'] } }, /two successful calls prove little/],
  ])('%s raises its red flag on %j', (question, change, expected) => {
    const raised = review(change).worksheet.filter((row) => row.red_flag !== null);
    expect(raised.map((row) => row.question)).toContain(question);
    expect(raised.find((row) => row.question === question)?.red_flag).toMatch(expected);
  });

  it('names what is open beside the answer', () => {
    const row = review({ owner: { team: '[team]' } }).worksheet[6];
    expect(row).toMatchObject({ answer: 'Not answered; open: owner.team' });
  });
});

describe('the risks', () => {
  const risksOf = (change: object) => review(change).risks.map(({ risk }) => risk);
  const absolute = {
    effect_class: 'natural_idempotent',
    ...unkeyed,
    lookup: undefined,
    recovery_seconds: 60,
    version_condition: 'subject',
  };

  it('are none where there are none', () => {
    expect(risksOf({ downstream: { ...downstream, key_window_seconds: 604_800 } })).toEqual([]);
  });

  it.each<[string, object]>([
    ['unknown_outcome', { ...unkeyed, lookup: undefined }],
    ['unknown_outcome', { ...unkeyed, lookup: { ...lookup, authoritative: false } }],
    ['lookup_not_authoritative', { lookup: { ...lookup, authoritative: false } }],
    ['lookup_compares_nothing', { lookup: { ...lookup, compare: {} } }],
    ['duplicate_after_key_window', {}],
    ['recovery_outlives_key_window', { downstream: { ...downstream, key_window_seconds: 300 } }],
    ['absence_never_conclusive', { downstream: { ...downstream, settle_seconds: 600 } }],
    ['stale_overwrite', { ...absolute, version_condition: undefined }],
    ['repeated_notification', absolute],
    ['no_postcondition', { postcondition: undefined }],
    [
      'irreversible_without_approval',
      { effect_class: 'irreversible', approval: { not_needed_because: 'A demo.', signed_by: 'R. N.' } },
    ],
    [
      'queue_without_query',
      { queue: { redelivery: true, effect_query: false, crash_before_ack: 'reconcile' } },
    ],
    ['personal_field_shown', { material: { ...material, body: { rules: [], personal: true } } }],
    ['masked_label', { target_label: 'customer_id' }],
    [
      'personal_field_stored',
      {
        material: { ...material, customer_id: { rules: [], personal: true, sensitive: true } },
        replay: { ...replay, fields: ['ticket_id', 'customer_id'] },
      },
    ],
    ['review_overdue', { next_review: '2026-11-30' }],
    ['decision_not_earned', { decision: 'automate' }],
    [
      'signoff_lapsed',
      {
        signoffs: { security: { person: 'A. L.', date: '2026-11-30', digest: `sha256:${'0'.repeat(64)}` } },
      },
    ],
  ])('%s is named with its line and a sentence', (name, change) => {
    const risk = review(change).risks.find((one) => one.risk === name);
    expect(risk?.line).toBeGreaterThan(0);
    expect(risk?.message).toMatch(/\.$/);
  });

  it('of a tool that can be asked, or sends again, are not those of one that cannot', () => {
    expect(risksOf(unkeyed)).not.toContain('unknown_outcome');
    expect(risksOf({ lookup: undefined, recovery_seconds: 60 })).not.toContain('unknown_outcome');
    expect(risksOf({ ...absolute, effects: ['the ticket is closed'] })).not.toContain(
      'repeated_notification',
    );
  });
});

describe('lintContract', () => {
  it('refuses a key part that is fed from a personal field', () => {
    const change = {
      operation_key: { ...reviewed.operation_key, fed_from: { step: 'customer_id' } },
      material: { ...material, customer_id: { rules: [], personal: true, sensitive: true } },
    };
    expect(review(change).errors).toMatchObject([
      { path: 'operation_key.fed_from.step', message: /is personal/ },
    ]);
  });

  it('an open decision forbids automate', () => {
    const { errors, open, decision } = review({ owner: { team: '[team]' }, decision: 'automate' });
    expect(open).toMatchObject([{ path: 'owner.team' }]);
    expect(errors).toMatchObject([
      { path: 'decision', message: /^1 decision is open: it cannot be automate/ },
    ]);
    expect(decision).toBe('manual');
    expect(review({ owner: { team: '[team]' } }).errors).toEqual([]);
  });

  it('automates by the latest passed fault run of this digest, and by no other', () => {
    const draft = loadContract(stringify(reviewed), 'x.yaml');
    const by = (change: object) =>
      lintContract(draft, { now: NOW, run: passedRun(draft.digest ?? '', change) }).decision;
    expect(by({})).toBe('automate');
    expect(by({ contract_digest: `sha256:${'0'.repeat(64)}` })).toBe('manual');
    expect(by({ started_at: '2026-10-01T09:00:00Z' })).toBe('manual');
    expect(lintContract(draft, { now: NOW })).toMatchObject({
      decision: 'manual',
      decision_because: /No passed fault run/,
    });
  });

  it('takes a sign-off of this digest for the run that it was given on, while that is young enough', () => {
    const { digest } = loadContract(stringify(reviewed), 'x.yaml');
    const signed = (change: object) => ({
      signoffs: {
        security: { person: 'A. L.', date: '2026-11-30', run_on: '2026-11-10', digest, ...change },
      },
    });
    expect(review(signed({})).decision).toBe('automate');
    expect(review(signed({ run_on: '2026-10-01' })).decision).toBe('manual');
    expect(review(signed({ run_on: '2026-12-24' })).decision).toBe('manual');
    expect(review(signed({ digest: `sha256:${'0'.repeat(64)}` })).decision).toBe('manual');
    expect(review({ ...signed({}), faults: { max_age_days: 7 } }).decision).toBe('manual');
  });

  it('refuses automate on sign-offs of another digest', () => {
    const signoffs = {
      security: { person: 'A. L.', date: '2026-11-30', digest: `sha256:${'0'.repeat(64)}` },
    };
    expect(review({ decision: 'automate', signoffs }).errors).toMatchObject([
      { path: 'signoffs.security', message: /signed another digest/ },
    ]);
  });

  it('tells nothing of a document that is none but where it is wrong', () => {
    const found = lintContract(loadContract('a: 1\na: 2\n', 'x.yaml'), { now: NOW });
    expect(found).toMatchObject({ worksheet: [], risks: [], decision: 'manual', errors: [{ line: 2 }] });
  });

  it.each([
    [invoicesGenerate, 'automate'],
    [messagesSend, 'automate_with_approval'],
    [paymentsCharge, 'manual'],
    [refundsCreate, 'automate'],
    [ticketsClose, 'automate'],
    [demoTicketsCreate, 'automate'],
  ] as const)(
    'finds nothing wrong or open in a contract of the demo, and decides it by its run: %#',
    (tool, decision) => {
      const { contract } = tool({ url: '' });
      const draft = draftOfContract(contract, contract.name);
      const found = lintContract(draft, { now: NOW });
      expect([found.errors, found.open]).toEqual([[], []]);
      const rows = [...passedRun('').rows, { id: 'T3.1', passed: true }, { id: 'T3.2', passed: true }];
      const run = passedRun(draft.digest ?? '', { tool: contract.name, rows });
      expect(lintContract(draft, { now: NOW, run }).decision).toBe(decision);
    },
  );

  it('reads a contract of which only some is known without guessing the rest', () => {
    const whole = { ...everyField, effect_class: 'irreversible', retention_seconds: 100 };
    for (const left of Object.keys(whole)) {
      const { [left as keyof typeof whole]: _gone, ...partly } = whole;
      const found = lintContract(loadContract(stringify(partly), 'x.yaml'), { now: NOW });
      expect(found.worksheet).toHaveLength(10);
      expect(found.decision).toBe('manual');
    }
  });
});
