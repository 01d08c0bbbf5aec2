import type { PlainJson } from '../executor/identity/plain-json.ts';
import type { Contract } from '../executor/index.ts';
import type { Stage } from './stage.ts';
import type { FakeDownstream } from './subject.ts';

/** What a play leaves behind besides the records: one sentence on what was seen, and the evidence that the row asks for. */
interface Played {
  observed: string;
  evidence?: { [name: string]: PlainJson };
}

/** One way to time a row: where who stands still, is stopped, killed or let go. */
export interface Timing {
  name: string;
  /** Why it cannot be played with this downstream or contract; null where it can. */
  missing?: (downstream: FakeDownstream, contract: Contract) => string | null;
  play(stage: Stage): Promise<Played>;
}

/** A row of the article's tables, in the article's words, or one of the two beside them. */
export interface FaultRow {
  id: string;
  scenario: string;
  expected: string;
  /** What the article asks to keep or to inspect. */
  asks: string;
  timings: readonly Timing[];
}

/** What a timing needs of the fake downstream; the sentence names what is not there. */
export const needs =
  (...names: readonly (keyof FakeDownstream)[]) =>
  (downstream: FakeDownstream): string | null => {
    const lacking = names.filter((name) => downstream[name] === undefined);
    return lacking.length === 0 ? null : `the fake downstream has no ${lacking.join(', ')}`;
  };
