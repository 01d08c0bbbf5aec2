import { describe, expect, test } from 'vitest';
import { ticketsCreateContract } from '../demo/tools/tickets-create.ts';
import { classifyAnswer, classifyError } from './classify.ts';
import { defineContract, NotSent, type EffectAnswer } from './index.ts';

const contract = defineContract(ticketsCreateContract);
const material = {
  queue_id: 'support',
  subject: 'Refund request',
  body: 'A duplicate charge.',
  customer_id: 'cus_1',
};
const done = (answer: unknown): EffectAnswer => ({ kind: 'done', answer });
const whole = { id: 'ticket_1', subject: 'Refund request', queue_id: 'support', status: 'open' };

describe('rule 4: applied needs a receipt', () => {
  test('an answer with its receipt that matches the request is applied', () => {
    expect(classifyAnswer(contract, material, done(whole))).toMatchObject({
      event: 'apply',
      reference: 'ticket_1',
    });
  });

  test.each([
    ['no receipt', { ...whole, id: undefined }],
    ['an empty receipt', { ...whole, id: ' ' }],
    ['a receipt of null', { ...whole, id: null }],
    ['a receipt that is an object', { ...whole, id: {} }],
    ['a receipt beyond the safe integers', { ...whole, id: 2 ** 60 }],
    ['a text', 'ticket_1'],
    ['nothing', undefined],
    ['an inherited receipt', Object.create(whole) as unknown],
  ])('%s is doubt', (_name, answer) => {
    expect(classifyAnswer(contract, material, done(answer))).toMatchObject({
      event: 'doubt',
      reason: 'unreadable_answer',
    });
  });

  test.each(['', ' ', null, {}])('a reference of %j beside the answer is no receipt', (reference) => {
    const answer = {
      kind: 'done',
      answer: { ...whole, id: undefined },
      reference,
    } as unknown as EffectAnswer;
    expect(classifyAnswer(contract, material, answer)).toMatchObject({
      event: 'doubt',
      reason: 'unreadable_answer',
    });
  });

  test.each([
    ['subject', { ...whole, subject: 'Another' }],
    ['queue_id', { ...whole, queue_id: undefined }],
  ])(
    'a receipt of another effect (%s) is doubt, and the reason names the field without its value',
    (field, answer) => {
      const end = classifyAnswer(contract, material, done(answer));
      expect(end).toMatchObject({ event: 'doubt', reason: 'wrong_receipt' });
      expect(JSON.stringify(end)).toContain(field);
      expect(JSON.stringify(end)).not.toContain('Another');
    },
  );

  test('what a tool without types answers is doubt, never an exception', () => {
    for (const answer of [undefined, null, 'done', {}, { kind: 'ok' }])
      expect(classifyAnswer(contract, material, answer as unknown as EffectAnswer).event).toBe('doubt');
  });
});

describe('rule 4: only what is certain is not doubt', () => {
  test('the same key in progress is no refusal', () => {
    expect(classifyAnswer(contract, material, { kind: 'in_progress' }).event).toBe('doubt');
  });

  test('an error is doubt, unless it says that nothing was sent', () => {
    expect(classifyError(new NotSent('no connection')).event).toBe('release');
    expect(classifyError(Object.assign(new Error('x'), { name: 'NotSent' })).event).toBe('doubt');
    expect(classifyError(new TypeError('fetch failed')).event).toBe('doubt');
    expect(classifyError('a text').event).toBe('doubt');
    expect(classifyError(undefined).event).toBe('doubt');
  });

  test.each([-5, Number.NaN, Number.POSITIVE_INFINITY, 1e12])(
    'not now for %s seconds still waits a time that the database can add',
    (retryAfterSeconds) => {
      const end = classifyAnswer(contract, material, { kind: 'not_now', retryAfterSeconds });
      if (end.event !== 'release') throw new Error(end.event);
      if (end.retryAfterMs !== null) {
        expect(end.retryAfterMs).toBeGreaterThanOrEqual(0);
        expect(end.retryAfterMs).toBeLessThanOrEqual(86_400_000);
      }
    },
  );
});

test.each([
  ['2026-12-01T10:00:00+02:00', '2026-12-01T08:00:00.000Z'],
  ['last Tuesday', undefined],
  ['2026-13-45T00:00:00Z', undefined],
  ['0001-01-01T00:00:00+01:00', undefined],
  ['9999-12-31T23:59:59-05:00', undefined],
  ['', undefined],
  [1_764_583_200, undefined],
])('a commit at %j is stored as %j: an odd date never costs a receipt', (given, committedAt) => {
  const answer = { ...done(whole), committedAt: given } as unknown as EffectAnswer;
  expect(classifyAnswer(contract, material, answer)).toMatchObject({
    event: 'apply',
    reference: 'ticket_1',
    committedAt,
  });
});
