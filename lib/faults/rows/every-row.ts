import type { FaultRow } from '../row.ts';
import { crashes } from './crashes.ts';
import { jobs } from './jobs.ts';
import { lostAnswers } from './lost-answers.ts';
import { races } from './races.ts';
import { repeats } from './repeats.ts';
import { rightsAndTime } from './rights-and-time.ts';
import { versions } from './versions.ts';

const place = (id: string) => id.replaceAll(/\d+/g, (digits) => digits.padStart(3, '0'));

/** The rows of both of the article's tables and the two beside them, in their order. */
export const EVERY_ROW: readonly FaultRow[] = [
  ...repeats,
  ...lostAnswers,
  ...crashes,
  ...races,
  ...rightsAndTime,
  ...jobs,
  ...versions,
].toSorted((one, other) => (place(one.id) < place(other.id) ? -1 : 1));
