import { describe, expect, test } from 'vitest';
import { answer } from '../domain/answer.ts';
import { everyShape } from '../domain/every-facts.ts';
import { EVIDENCE_FACTS, type Facts } from '../domain/facts.ts';
import { answeredOutcome } from '../executor/outcome-of.ts';
import { toFacts } from '../shapes/facts.ts';
import { nextCall, nextCallAfter, successorKeyOf } from './next-call.ts';
import { at, facts, record } from './testing/operation-detail.ts';

const NOW = Date.parse(at('14:06:16'));
const unknown = toFacts(facts());
const plain = { receipt: null, now: NOW };

describe('what the agent gets on its next call', () => {
  test('after "it happened" it is the receipt, and nothing to repeat', () => {
    const said = { receipt: 'pay_7731', evidenceResponse: { payment_id: 'pay_7731' }, now: NOW };
    expect(nextCallAfter('applied', unknown, record(), said)).toEqual({
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
        first_recorded_at: '2026-08-18T14:06:16.000Z',
      },
    });
  });

  test('what the worker already stored is not replaced by what the evidence brought', () => {
    const said = { receipt: 'pay_1', evidenceResponse: { from: 'evidence' }, now: NOW };
    const call = nextCallAfter('applied', unknown, record({ response_json: { from: 'worker' } }), said);
    expect(call).toMatchObject({ outcome: { result: { from: 'worker' } } });
  });

  test('after "it did not happen" it is a rejection with its reason and no reference', () => {
    expect(nextCallAfter('failed_permanent', unknown, record(), plain)).toMatchObject({
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
    expect(nextCallAfter('approved_new_key', unknown, record(), plain)).toMatchObject({
      outcome: {
        status: 'rejected',
        reason: 'superseded',
        next_action: 'use_successor_key',
        successor_key: successorKeyOf('acme:production:run_827:charge_card'),
      },
    });
  });

  test('a verdict that the transitions do not allow has no preview', () => {
    const found = toFacts(facts({ evidence: 'found' }));
    expect(nextCallAfter('failed_permanent', found, record(), plain)).toBeNull();
    expect(
      nextCallAfter('applied', toFacts(facts({ status: 'applied', doubt: 'none' })), record(), plain),
    ).toBeNull();
  });

  test('an adopted row answers a mismatch, whatever is decided about it', () => {
    const adopted = toFacts(facts({ adopted: true }));
    expect(
      nextCallAfter('applied', adopted, record({ adopted: true }), { ...plain, receipt: 'pay_1' }),
    ).toMatchObject({
      outcome: { status: 'rejected', reason: 'fingerprint_mismatch', effect_reference: null, result: null },
    });
  });

  test('a ready operation would be taken up', () => {
    const ready = toFacts(facts({ status: 'pending', pending_reason: 'ready', doubt: 'none' }));
    expect(nextCall(ready, record({ status: 'pending', pending_reason: 'ready' }), NOW)).toEqual({
      does: 'acquire',
    });
  });

  test("is field by field, and in the same order, the executor's own answer in every state", () => {
    const stored = record({
      effect_reference: 'pay_7731',
      response_json: { payment_id: 'pay_7731' },
      next_attempt_at: at('14:06:20.5'),
      successor_key: 'acme:production:run_827:charge_card!2',
      first_recorded_at: at('14:05:00'),
      reason: null,
    });
    let compared = 0;
    for (const shape of everyShape())
      for (const evidence of EVIDENCE_FACTS)
        for (const due of [true, false]) {
          const f: Facts = { ...shape, evidence, due, capabilities: unknown.capabilities };
          const reason =
            f.status === 'failed_permanent' ? 'refused' : f.status === 'unknown' ? 'no_answer' : null;
          const delivery = {
            authorized: true,
            matches: true,
            consumer: false,
            lateArrival: 'reject',
            storedReason: reason,
          } as const;
          const said = answer(f, delivery);
          if (said.do !== 'answer') {
            expect(nextCall(f, { ...stored, reason }, NOW)).toEqual({ does: said.do });
            continue;
          }
          const executor = answeredOutcome(
            {
              ...({} as Parameters<typeof answeredOutcome>[0]),
              operation_key: stored.operation_key,
              tool_version: stored.tool_version,
              effect_reference: stored.effect_reference,
              response: { payment_id: 'pay_7731' },
              attempt: stored.attempt,
              successor_key: stored.successor_key,
              first_recorded_at: stored.first_recorded_at,
              wait_ms: 4_500,
            },
            said,
            stored.tool_version,
          );
          const preview = nextCall(f, { ...stored, reason }, NOW);
          expect(preview).toEqual({ outcome: executor });
          expect(Object.keys('outcome' in preview ? preview.outcome : {}).toSorted()).toEqual(
            Object.keys(executor).toSorted(),
          );
          compared += 1;
        }
    expect(compared).toBeGreaterThan(100);
  });

  test('a successor counts on from its own number', () => {
    expect(successorKeyOf('acme:production:run:step')).toBe('acme:production:run:step!1');
    expect(successorKeyOf('acme:production:run:step!1')).toBe('acme:production:run:step!2');
  });
});
