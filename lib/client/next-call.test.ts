import { describe, expect, test } from 'vitest';
import { toFacts } from '../shapes/facts.ts';
import { nextCall, nextCallAfter, successorKeyOf } from './next-call.ts';
import { facts, record } from './testing/operation-detail.ts';

const unknown = toFacts(facts());

describe('what the agent gets on its next call', () => {
  test('after "it happened" it is the receipt, and nothing to repeat', () => {
    expect(nextCallAfter('applied', unknown, record(), 'pay_7731', { payment_id: 'pay_7731' })).toEqual({
      outcome: {
        status: 'replayed',
        operation_key: 'acme:production:run_827:charge_card',
        effect_reference: 'pay_7731',
        result: { payment_id: 'pay_7731' },
        repeated: true,
        attempt: 1,
        safe_to_repeat: false,
        next_action: 'none',
        instruction: expect.stringContaining('nothing new happened') as string,
      },
    });
  });

  test('what the worker already stored is not replaced by what the evidence brought', () => {
    const call = nextCallAfter('applied', unknown, record({ response_json: { from: 'worker' } }), 'pay_1', {
      from: 'evidence',
    });
    expect(call).toMatchObject({ outcome: { result: { from: 'worker' } } });
  });

  test('after "it did not happen" it is a rejection with its reason and no reference', () => {
    expect(nextCallAfter('failed_permanent', unknown, record(), null)).toMatchObject({
      outcome: {
        status: 'rejected',
        reason: 'decided',
        effect_reference: null,
        result: null,
        safe_to_repeat: false,
        next_action: 'none',
      },
    });
  });

  test('after "allow a new key" it is the one successor', () => {
    expect(nextCallAfter('approved_new_key', unknown, record(), null)).toMatchObject({
      outcome: {
        status: 'rejected',
        reason: 'superseded',
        next_action: 'use_successor_key',
        successor_key: successorKeyOf('acme:production:run_827:charge_card'),
      },
    });
  });

  test('a verdict that the transitions do not allow has no preview', () => {
    expect(
      nextCallAfter('failed_permanent', toFacts(facts({ evidence: 'found' })), record(), null),
    ).toBeNull();
    expect(
      nextCallAfter('applied', toFacts(facts({ status: 'applied', doubt: 'none' })), record(), 'pay_1'),
    ).toBeNull();
  });

  test('an adopted row answers a mismatch, whatever is decided about it', () => {
    const adopted = toFacts(facts({ adopted: true }));
    expect(nextCallAfter('applied', adopted, record({ adopted: true }), 'pay_1')).toMatchObject({
      outcome: { status: 'rejected', reason: 'fingerprint_mismatch', effect_reference: null, result: null },
    });
  });

  test('as it stands, an unknown operation is answered unknown, and a ready one would be taken up', () => {
    expect(nextCall(unknown, record())).toMatchObject({
      outcome: { status: 'unknown', next_action: 'reconcile', reason: 'no_answer' },
    });
    const ready = toFacts(facts({ status: 'pending', pending_reason: 'ready', doubt: 'none' }));
    expect(nextCall(ready, record({ status: 'pending', pending_reason: 'ready' }))).toEqual({
      does: 'acquire',
    });
  });
});
