import type { Floor } from './floor.ts';
import { median, quantile, runRound, type Round } from './measure.ts';
import type { Subject } from './subject.ts';

/** One line of the result; DESIGN §11 names the fields. */
export interface BenchRow {
  work: string;
  concurrency: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  ratio_to_floor: number;
  p50_ratio_to_floor: number;
}

/** Something that is measured: new keys, or deliveries of keys that are applied already. */
export interface Work {
  name: string;
  floor: string;
  on: 'new keys' | 'applied keys';
  call: (workflowId: string) => Promise<void>;
}

export const worksOf = (floor: Floor, subject: Subject): Work[] => [
  { name: 'floor_first_call', floor: 'floor_first_call', on: 'new keys', call: floor.firstCall },
  { name: 'first_call', floor: 'floor_first_call', on: 'new keys', call: subject.firstCall },
  { name: 'floor_replay', floor: 'floor_replay', on: 'applied keys', call: floor.replay },
  { name: 'replay', floor: 'floor_replay', on: 'applied keys', call: subject.replay },
  { name: 'mismatch', floor: 'floor_replay', on: 'applied keys', call: subject.mismatch },
  { name: 'status', floor: 'floor_replay', on: 'applied keys', call: subject.status },
];

let series = 0;

/** Makes new workflow ids, which grow as a clock's do. */
export function newIds(): (n: number) => string {
  const prefix = `run_${String(++series).padStart(5, '0')}`;
  return (n) => `${prefix}_${String(n).padStart(7, '0')}`;
}

/**
 * All works at one concurrency, one after the other in short rounds again and again, so that what disturbs the machine
 * disturbs all of them. A ratio is the median of the ratios within each turn.
 * @param keys workflow ids that both sides have applied
 */
export async function measureWorks(
  works: readonly Work[],
  concurrency: number,
  options: { turns: number; roundMs: number; keys: readonly string[] },
): Promise<BenchRow[]> {
  const rounds = new Map<string, Round[]>(works.map(({ name }) => [name, []]));
  for (let turn = -1; turn < options.turns; turn++) {
    // each turn begins elsewhere, so that nobody always comes after the same neighbour
    const start = (turn + 1) % works.length;
    for (const work of [...works.slice(start), ...works.slice(0, start)]) {
      const idOf =
        work.on === 'new keys' ? newIds() : (n: number) => options.keys[n % options.keys.length] as string;
      const round = await runRound(concurrency, options.roundMs, (n) => work.call(idOf(n)));
      if (turn >= 0) rounds.get(work.name)?.push(round); // the first turn warms connections and plans
    }
  }
  return works.map(({ name, floor }) =>
    rowOf(name, concurrency, rounds.get(name) ?? [], rounds.get(floor) ?? []),
  );
}

/** Medians of a work's rounds, and of their ratios to the floor's round of the same turn. */
export function rowOf(
  work: string,
  concurrency: number,
  rounds: readonly Round[],
  floorRounds: readonly Round[],
): BenchRow {
  const own = rounds.map(figuresOf);
  const floor = floorRounds.map(figuresOf);
  const ratio = (figure: 'perSecond' | 'p50') =>
    median(own.map((round, i) => round[figure] / (floor[i]?.[figure] ?? Number.NaN)));
  return {
    work,
    concurrency,
    per_second: Math.round(median(own.map(({ perSecond }) => perSecond))),
    p50_ms: rounded(median(own.map(({ p50 }) => p50))),
    p99_ms: rounded(median(own.map(({ p99 }) => p99))),
    ratio_to_floor: rounded(ratio('perSecond')),
    p50_ratio_to_floor: rounded(ratio('p50')),
  };
}

const figuresOf = ({ calls, seconds, latencies }: Round) => ({
  perSecond: calls / seconds,
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
});

const rounded = (value: number) => Number(value.toPrecision(3));
