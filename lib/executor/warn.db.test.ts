import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecutorOptions } from './index.ts';
import { newStep, openBench, type Bench } from './testing/bench.ts';
import { faultyStore } from './testing/faulty-store.ts';
import { sampleTool } from './testing/sample-tool.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const broken = new Error('the logger is broken');
const warns: [string, NonNullable<ExecutorOptions['warn']>][] = [
  [
    'throws',
    () => {
      throw broken;
    },
  ],
  ['rejects', () => Promise.reject(broken)],
];

test.each(warns)('a warn that %s loses no answer and ends no process', async (_what, warn) => {
  const store = faultyStore(bench.store);
  const executor = await bench.executor(
    [sampleTool(() => ({ kind: 'done', answer: { id: 'x' }, reference: 'sample_1' }))],
    { store, warn },
  );
  store.break('transition', 'fail', 1, 'apply');
  // an unhandled rejection would fail this run
  expect(await executor.execute('sample.act', { value: 1 }, newStep())).toMatchObject({
    status: 'applied',
    effect_reference: 'sample_1',
  });
});
