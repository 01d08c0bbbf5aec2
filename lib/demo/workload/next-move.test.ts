import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../executor/index.ts';
import { nextMove } from './next-move.ts';

const outcome = (change: Partial<Outcome>): Outcome => ({
  status: 'rejected',
  operation_key: 'acme:production:run:step',
  effect_reference: null,
  result: null,
  repeated: false,
  attempt: 1,
  safe_to_repeat: false,
  next_action: 'none',
  instruction: '',
  ...change,
});

describe('nextMove', () => {
  test('applied and replayed are the end', () => {
    expect(nextMove(outcome({ status: 'applied' }), 0)).toEqual({ move: 'end' });
    expect(nextMove(outcome({ status: 'replayed' }), 0)).toEqual({ move: 'end' });
  });

  test('polls after the stated time', () => {
    const inFlight = outcome({ status: 'in_flight', next_action: 'poll', retry_after_seconds: 3 });
    expect(nextMove(inFlight, 0)).toEqual({ move: 'wait', forMs: 3_000 });
  });

  test('calls again later where nothing was sent', () => {
    const notSent = outcome({ reason: 'not_sent', next_action: 'retry_later', retry_after_seconds: 1 });
    expect(nextMove(notSent, 0)).toEqual({ move: 'wait', forMs: 1_000 });
  });

  test('an unknown outcome is asked for ever more slowly', () => {
    const unknown = outcome({ status: 'unknown', next_action: 'reconcile' });
    const waits = [0, 1, 2, 20]
      .map((looks) => nextMove(unknown, looks))
      .map((move) => 'forMs' in move && move.forMs);
    expect(waits).toEqual([20_000, 40_000, 80_000, 600_000]);
  });

  test('spent attempts wait for a person; another request under the key ends this delivery', () => {
    const inspect = { next_action: 'inspect_operation' } as const;
    expect(nextMove(outcome({ ...inspect, reason: 'attempts_spent' }), 0).move).toBe('await_person');
    expect(nextMove(outcome({ ...inspect, reason: 'fingerprint_mismatch' }), 0).move).toBe('end');
  });

  test('a superseded key brings its successor, and a denial is not argued with', () => {
    const superseded = outcome({
      next_action: 'use_successor_key',
      successor_key: 'acme:production:run:step!1',
    });
    expect(nextMove(superseded, 0)).toEqual({ move: 'use_successor', key: 'acme:production:run:step!1' });
    expect(nextMove(outcome({ reason: 'unauthorized' }), 0)).toEqual({ move: 'end' });
  });
});
