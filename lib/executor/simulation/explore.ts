import type { Configuration } from './configurations.ts';
import { WEIGHTS, type Choice } from './choices.ts';
import { play, type Played } from './play.ts';
import { textOf, type Budget, type Schedule } from './schedule.ts';
import { seeded } from './seeded.ts';
import { Stage } from './stage.ts';

/** A stage is opened anew after so many schedules: what a killed process waited for stays with its executor. */
const STAGE_LASTS = 1_000;

/** What an exploration found; adds up over configurations. */
export interface Found {
  /** Complete runs, each from the first delivery to rest. */
  schedules: number;
  /** Runs that were given up at a state from which everything had been explored. */
  pruned: number;
  violations: Violation[];
  sometimes: Record<string, number>;
}

export interface Violation {
  /** What `--replay` takes. */
  replay: string;
  what: string;
}

/** Of an exhaustive search, whose choices all count. */
const FEW: Budget = {
  deliveries: 1,
  crashes: 1,
  faults: 1,
  fates: 1,
  jumps: 3,
  recoveries: 1,
  reconciliations: 2,
  decisions: 1,
  approvals: 1,
};

/** Of a random walk, which goes deeper. */
const MANY: Budget = {
  deliveries: 4,
  crashes: 3,
  faults: 3,
  fates: 4,
  jumps: 10,
  recoveries: 4,
  reconciliations: 6,
  decisions: 2,
  approvals: 2,
};

const VIOLATIONS_AT_MOST = 5;

/** Every order of choices to a depth, depth first, without going twice through equal states. */
export async function exploreAll(configuration: Configuration, depth: number): Promise<Found> {
  let stage = await Stage.open(configuration);
  const found = nothingYet();
  const states = new States();
  const path: { chosen: number; of: number }[] = [];
  for (;;) {
    let at = 0;
    if ((found.schedules + found.pruned) % STAGE_LASTS === 0) stage = await Stage.open(configuration);
    const played = await play(
      stage,
      { budget: FEW, fraction: () => 0.5, seen: counter(found), traced: false, intern: states.intern },
      (choices, schedule) => {
        const step = path[at++];
        if (step !== undefined) return step.chosen;
        if (at > depth) return null;
        if (states.isExplored(schedule, depth - at)) return 'cut';
        path.push({ chosen: 0, of: choices.length });
        return 0;
      },
    );
    add(found, played, () => `all/${configuration.name}/${path.map(({ chosen }) => chosen).join('.')}`);
    if (found.violations.length >= VIOLATIONS_AT_MOST) return found;
    let last = path.at(-1);
    while (last !== undefined && last.chosen + 1 >= last.of) {
      path.pop();
      last = path.at(-1);
    }
    if (last === undefined) return found;
    last.chosen += 1;
  }
}

/** Seeded random walks, from the first seed on. */
export async function exploreSeeds(
  configuration: Configuration,
  first: number,
  count: number,
): Promise<Found> {
  let stage = await Stage.open(configuration);
  const found = nothingYet();
  for (let seed = first; seed < first + count; seed++) {
    if (found.schedules % STAGE_LASTS === 0) stage = await Stage.open(configuration);
    const played = await walk(stage, seed, false, counter(found));
    add(found, played, () => `seed/${configuration.name}/${seed}`);
    if (found.violations.length >= VIOLATIONS_AT_MOST) break;
  }
  return found;
}

const LONGEST_WALK = 60;

function walk(stage: Stage, seed: number, traced: boolean, seen: (state: string) => void): Promise<Played> {
  const random = seeded(seed);
  const weights = swarm(random);
  let steps = 0;
  const exploration = { budget: MANY, fraction: random, seen, traced, intern: null };
  return play(stage, exploration, (choices) =>
    steps++ < LONGEST_WALK ? weighted(choices, weights, random()) : null,
  );
}

type Weights = Record<Choice['kind'], number>;

/** Each walk prefers other kinds of choices, so that together they come further than walks that are alike (swarm testing, Groce et al. 2012). */
const swarm = (random: () => number): Weights => {
  const weights = { ...WEIGHTS };
  for (const kind of Object.keys(WEIGHTS) as Choice['kind'][])
    weights[kind] *= [0.1, 1, 1, 4][Math.floor(random() * 4)] ?? 1;
  return weights;
};

function weighted(choices: readonly Choice[], weights: Weights, fraction: number): number {
  let left = fraction * choices.reduce((sum, { kind }) => sum + weights[kind], 0);
  const chosen = choices.findIndex(({ kind }) => (left -= weights[kind]) <= 0);
  return Math.max(0, chosen);
}

/**
 * Plays one schedule again.
 * @param replay what a violation said: `all/CONFIGURATION/CHOICES` or `seed/CONFIGURATION/SEED`
 */
export async function replay(configurations: readonly Configuration[], replayed: string): Promise<Played> {
  const [how, name, what = ''] = replayed.split('/');
  const configuration = configurations.find((one) => one.name === name);
  if (configuration === undefined || (how !== 'all' && how !== 'seed'))
    throw new Error(`${replayed} is no schedule; give all/CONFIGURATION/CHOICES or seed/CONFIGURATION/SEED`);
  const stage = await Stage.open(configuration);
  if (how === 'seed') return await walk(stage, Number(what), true, () => {});
  const path = what.split('.').filter(Boolean).map(Number);
  let at = 0;
  return await play(
    stage,
    { budget: FEW, fraction: () => 0.5, seen: () => {}, traced: true, intern: null },
    () => path[at++] ?? null,
  );
}

const nothingYet = (): Found => ({ schedules: 0, pruned: 0, violations: [], sometimes: {} });

const counter = (found: Found) => (state: string) => {
  found.sometimes[state] = (found.sometimes[state] ?? 0) + 1;
};

function add(found: Found, { complete, violation }: Played, named: () => string): void {
  if (complete) found.schedules += 1;
  else found.pruned += 1;
  if (violation !== null) found.violations.push({ replay: named(), what: violation });
}

/**
 * States that were explored, and how deep. A state is everything that decides what comes: rows, evidence, downstream,
 * clock, what may still be spent, and of each process all that it has observed, since its code is deterministic.
 */
class States {
  readonly #numbers = new Map<string, number>();
  readonly #ofObjects = new WeakMap<object, number>();
  readonly #explored = new Map<string, number>();

  readonly intern = (text: string): number => {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size + 1);
    return this.#numbers.size;
  };

  /** Whether everything from this state was explored at least so deep; says that it will be, if not. */
  isExplored(schedule: Schedule, depth: number): boolean {
    const key = this.#keyOf(schedule);
    if ((this.#explored.get(key) ?? -1) >= depth) return true;
    this.#explored.set(key, depth);
    return false;
  }

  #keyOf({ now, store, downstream, processes, budget, reading, onTrust }: Schedule): string {
    const values = [...store.rows.values(), ...store.evidence.values(), ...store.approvals.values()];
    const processesText = [...processes.values()].map((p) => `${p.generation}.${p.history}.${p.busy}`);
    return [
      now,
      ...values.map((value) => this.#numberOf(value)).sort((a, b) => a - b),
      this.intern(downstream.state()),
      ...processesText,
      JSON.stringify(budget),
      reading === null ? '' : this.#numberOf(reading),
      onTrust.size,
    ].join(' ');
  }

  /** Rows and lists of evidence are values: equal ones have one number. */
  #numberOf(value: object): number {
    const known = this.#ofObjects.get(value);
    if (known !== undefined) return known;
    const number = this.intern(textOf(value));
    this.#ofObjects.set(value, number);
    return number;
  }
}
