import type { Outcome } from '../../executor/index.ts';

/** What an agent does after an answer. */
export type Move =
  | { move: 'end' }
  /** Deliver again after so long, in milliseconds. */
  | { move: 'wait'; forMs: number }
  /** A person is asked: look again at a slow pace, or as soon as the operation is resolved. */
  | { move: 'await_person'; forMs: number }
  | { move: 'use_successor'; key: string };

const DEFAULT_WAIT_SECONDS = 2;
const FIRST_LOOK_MS = 20_000;
const LONGEST_LOOK_MS = 600_000;

/**
 * Follows the answer's own `next_action`, as an obedient agent does.
 * @param looks how often it has been answered that a person is asked
 */
export function nextMove(outcome: Outcome, looks: number): Move {
  const awaitPerson: Move = {
    move: 'await_person',
    forMs: Math.min(FIRST_LOOK_MS * 2 ** Math.min(looks, 10), LONGEST_LOOK_MS),
  };
  switch (outcome.next_action) {
    case 'poll':
    case 'retry_later':
      return { move: 'wait', forMs: (outcome.retry_after_seconds ?? DEFAULT_WAIT_SECONDS) * 1_000 };
    case 'reconcile':
      return awaitPerson;
    case 'inspect_operation':
      // spent attempts are somebody's case; everything else that is to be inspected was this delivery's mistake
      return outcome.reason === 'attempts_spent' ? awaitPerson : { move: 'end' };
    case 'use_successor_key':
      return outcome.successor_key === undefined
        ? awaitPerson
        : { move: 'use_successor', key: outcome.successor_key };
    case 'ask_for_approval':
      return awaitPerson;
    case 'none':
    case 'fix_arguments':
      return { move: 'end' };
  }
}
