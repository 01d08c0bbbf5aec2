import { choicesOf, type Choice } from './choices.ts';
import { assertAtRest, assertInvariants } from './invariants.ts';
import { Schedule, SimulationError, type Exploration } from './schedule.ts';
import { WORKERS } from './actors.ts';
import type { Stage } from './stage.ts';

/** Which choice is taken; null to let the schedule end as it goes by itself, `cut` to give it up. */
export type Chooser = (choices: readonly Choice[], schedule: Schedule) => number | null | 'cut';

export interface Played {
  /** False where it was given up, since an equal state had been explored. */
  complete: boolean;
  /** What was broken; null where every rule held. */
  violation: string | null;
  trace: readonly string[];
}

/** More steps than any run needs: beyond it something goes round in circles. */
const MAX_STEPS = 600;

/** All microtasks have run, so every process waits at a port or is done. */
const quiescence = () => new Promise<void>((resolve) => setImmediate(resolve));

/** One schedule from its beginning to its end, with every rule checked after every step. */
export async function play(stage: Stage, exploration: Exploration, choose: Chooser): Promise<Played> {
  const schedule = new Schedule(stage, exploration);
  let checked = new Map(schedule.store.rows);
  const step = async (choice: Choice) => {
    schedule.tell(choice.label);
    choice.take();
    await quiescence();
    assertInvariants(schedule, checked);
    checked = new Map(schedule.store.rows);
  };
  try {
    for (const worker of WORKERS) schedule.deliver(worker);
    await quiescence();
    for (let steps = 0; ; steps++) {
      if (steps > MAX_STEPS) throw new SimulationError('it goes round in circles');
      let choices = choicesOf(schedule);
      // the two workers differ in name alone, so the first to move may be called the first
      if (steps === 0) choices = choices.filter(({ label }) => !label().startsWith(WORKERS[1]));
      if (choices.length === 0) break;
      const chosen = choose(choices, schedule);
      if (chosen === 'cut') return { complete: false, violation: null, trace: schedule.trace };
      const choice = chosen === null ? undefined : choices[chosen];
      if (choice === undefined) break;
      await step(choice);
    }
    await finish(schedule, step);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { complete: true, violation: error.message, trace: schedule.trace };
  }
  return { complete: true, violation: null, trace: schedule.trace };
}

/** In which order things go on when nothing is chosen. */
const GOES_ON = ['progress', 'arrival', 'duty', 'slow', 'time', 'delivery'] as const;

/**
 * The end: nothing deviates any more, time passes, the duties run, and the step is delivered once more. Everything
 * must come to rest.
 */
async function finish(schedule: Schedule, step: (choice: Choice) => Promise<void>): Promise<void> {
  const plenty = MAX_STEPS;
  Object.assign(schedule.budget, {
    deliveries: 1,
    crashes: 0,
    faults: 0,
    fates: 0,
    jumps: plenty,
    recoveries: plenty,
    reconciliations: plenty,
    decisions: 0,
    approvals: 0,
  });
  schedule.reading = null;
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const choices = choicesOf(schedule);
    const next = GOES_ON.map((kind) => choices.find((choice) => choice.kind === kind)).find(
      (choice) => choice !== undefined,
    );
    if (next === undefined) {
      assertAtRest(schedule);
      for (const row of schedule.store.rows.values()) {
        schedule.seen(`ended ${row.status}`);
        if (row.status === 'applied' && schedule.hasSeen('answer lost'))
          schedule.seen('applied after a lost answer');
      }
      return;
    }
    // a duty that runs in a loop takes time, or what is due at this very instant would be due for ever
    if (next.kind === 'duty') schedule.passUntil(schedule.now + 1);
    await step(next);
  }
  throw new SimulationError('it does not come to rest');
}
