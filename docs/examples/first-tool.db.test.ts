import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBench, type Bench } from '../../lib/executor/testing/bench.ts';
import { firstCall } from './first-call.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

test('the first tool of the documents files one ticket, however often its step is delivered', async () => {
  const first = await firstCall(bench.store, bench.deskline.url, 'run_1');
  const again = await firstCall(bench.store, bench.deskline.url, 'run_1');
  const [reference, ...others] = await bench.effects('acme:production:run_1:open-ticket');
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    status: 'applied',
    effect_reference: reference,
    result: { id: reference, status: 'open' },
  });
  expect(again).toMatchObject({ status: 'replayed', effect_reference: reference, result: first.result });
  expect((await firstCall(bench.store, bench.deskline.url, 'run_2')).status).toBe('applied');
  expect((await bench.control.effects()).tickets.records).toBe(2);
});

test('a first tool is under 40 lines', () => {
  expect(readFileSync('docs/examples/first-tool.ts', 'utf8').trimEnd().split('\n').length).toBeLessThan(40);
});
