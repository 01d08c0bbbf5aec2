import type { Floor } from './floor.ts';
import type { Subject } from './subject.ts';
import type { Work } from './works.ts';

/** What was called, to be compared with what is there: a benchmark that loses or doubles work measures nothing. */
export class Tally {
  readonly #called = new Map<string, number>();
  #effects = 0;

  effect(): void {
    this.#effects += 1;
  }

  counting = (works: readonly Work[]): Work[] =>
    works.map((work) => ({
      ...work,
      call: async (workflowId) => {
        await work.call(workflowId);
        this.#called.set(work.name, (this.#called.get(work.name) ?? 0) + 1);
      },
    }));

  /** Throws where an operation, an effect or a row of the trace is missing or stands twice. */
  async verify(floor: Floor, subject: Subject, already: { applied: number } = { applied: 0 }): Promise<void> {
    const { applied, events } = await subject.counts();
    const of = (name: string) => this.#called.get(name) ?? 0;
    const first = of('first_call');
    const checks: [what: string, expected: number, found: number][] = [
      ['operations of the floor', of('floor_first_call'), await floor.applied()],
      ['operations', first + already.applied, applied],
      ['effects', of('floor_first_call') + first, this.#effects],
      ['claims in the trace', first, events['claim'] ?? 0],
      ['ends in the trace', first, events['apply'] ?? 0],
      ['replays in the trace', of('replay'), events['replayed'] ?? 0],
      ['mismatches in the trace', of('mismatch'), events['rejected'] ?? 0],
    ];
    for (const [what, expected, found] of checks)
      if (expected !== found) throw new Error(`${what}: ${expected} were called for, ${found} are there`);
  }
}
