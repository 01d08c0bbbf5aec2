import { expect, test } from 'vitest';
import { simulate } from './simulate.ts';

/** A tenth of `npm run simulate`; the nightly run goes through the whole. */
const DEPTH = 5;
const SEEDS = 60_000;

test(`[S36] [S43] every order of two workers, duties, an operator, crashes and lost replies to depth ${DEPTH}, and ${SEEDS} seeds: at most one effect`, async () => {
  const { schedules, violations, missing } = await simulate({ depth: DEPTH, seeds: SEEDS });
  expect(violations).toEqual([]);
  expect(missing).toEqual([]);
  expect(schedules).toBeGreaterThan(100_000);
}, 900_000);
