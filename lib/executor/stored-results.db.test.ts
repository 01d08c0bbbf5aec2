import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopedReadOn } from '../../db/client.ts';
import { toolOperations } from '../../db/schema/tool-operations.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { EffectAnswer } from './index.ts';
import { keyOf, newStep, newVersion, openBench, TICKET, type Bench } from './testing/bench.ts';
import { sampleTool } from './testing/sample-tool.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

/** A tool that answers this once, and counts. */
async function answering(answer: unknown, more: Partial<Extract<EffectAnswer, { kind: 'done' }>> = {}) {
  let effects = 0;
  const executor = await bench.executor([
    sampleTool(() => {
      effects += 1;
      return { kind: 'done', answer, reference: 'sample_1', ...more };
    }),
  ]);
  const step = newStep();
  return {
    key: keyOf(step),
    deliver: () => executor.execute('sample.act', { value: 1 }, step),
    effects: () => effects,
  };
}

test('a receipt longer than an index row is recorded, found by its text, and replayed', async () => {
  const reference = randomBytes(4_000).toString('base64url');
  const call = await answering({ id: 1 }, { reference });
  expect(await call.deliver()).toMatchObject({ status: 'applied', effect_reference: reference });
  expect(await call.deliver()).toMatchObject({ status: 'replayed', effect_reference: reference });
  expect(call.effects()).toBe(1);
});

describe('a result of any shape', () => {
  test.each([null, 0, false, '', [], {}].map((value) => [JSON.stringify(value), value]))(
    '[B39] %s is a stored result: the state decides, and the function does not run again',
    async (_name, value) => {
      const call = await answering(value);
      expect(await call.deliver()).toMatchObject({
        status: 'applied',
        result: value,
        effect_reference: 'sample_1',
      });
      expect(await call.deliver()).toMatchObject({
        status: 'replayed',
        result: value,
        effect_reference: 'sample_1',
      });
      expect(call.effects()).toBe(1);
      expect(await bench.row(call.key)).toMatchObject({ status: 'applied', attempt: 1 });
      expect(await bench.kinds(call.key)).toEqual(['claim', 'apply', 'replayed']);
    },
  );

  test.each([
    ['object', { id: 'sample_1', value: { deep: [1, null, 'x'] } }],
    ['array', [1, 'two', null, { three: 3 }]],
    ['string', '{"not":"parsed"}'],
    ['number', -12.5],
    ['null', null],
    ['boolean', true],
  ])('[B146] response_json keeps jsonb_typeof %s and comes back equal', async (type, value) => {
    const call = await answering(value);
    expect((await call.deliver()).result).toEqual(value);
    expect((await call.deliver()).result).toEqual(value);
    const stored = `select jsonb_typeof(response_json) as type, response_json -> 'value' -> 'deep' ->> 2 as deep,
      response_json ->> 1 as second from public.tool_operations where operation_key = $1`;
    expect(await bench.sql(stored, [call.key])).toEqual([
      { type, deep: type === 'object' ? 'x' : null, second: type === 'array' ? 'two' : null },
    ]);
    const read = scopedReadOn(bench.database.urls.console);
    const built = await read([{ tenantId: 'acme', environment: 'production' }], (reads) =>
      reads
        .select({ response: toolOperations.responseJson })
        .from(toolOperations)
        .where(eq(toolOperations.operationKey, call.key)),
    );
    expect(built).toEqual([{ response: value }]);
  });
});

describe('text that Postgres cannot hold', () => {
  test('[B62] NUL, half a surrogate pair and a cut emoji from Deskline end applied, and come back as they were', async () => {
    const tool = ticketsCreate(
      { url: bench.deskline.url, fault: () => 'nul_text' },
      { version: newVersion() },
    );
    const executor = await bench.executor([tool]);
    const step = newStep();
    const first = await executor.execute('tickets.create', TICKET, step);
    const again = await executor.execute('tickets.create', TICKET, step);
    expect([first.status, again.status]).toEqual(['applied', 'replayed']);
    expect(first.result).toMatchObject({ note: 'nul \0, half a pair \ud800, cut emoji \ud83d' });
    expect(again.result).toEqual(first.result);
    expect(await bench.effects(keyOf(step))).toEqual([first.effect_reference]);
    expect((await bench.row(keyOf(step)))['response_json']).toMatchObject({
      note: 'nul \u001a0000, half a pair \u001ad800, cut emoji \u001ad83d',
    });
  });

  test.each(['a\0b', '\ud800', 'cut \ud83d', '\u001a0000'])(
    '[B62] a receipt of %j is kept to the character',
    async (reference) => {
      const call = await answering({ note: reference }, { reference });
      expect(await call.deliver()).toMatchObject({ status: 'applied', effect_reference: reference });
      expect(await call.deliver()).toMatchObject({
        status: 'replayed',
        effect_reference: reference,
        result: { note: reference },
      });
      expect(call.effects()).toBe(1);
    },
  );
});

describe('a receipt is never lost over its result', () => {
  const levels = (n: number) => JSON.parse(`${'['.repeat(n)}${']'.repeat(n)}`) as unknown;
  const cyclic: Record<string, unknown> = { id: 'sample_1' };
  cyclic['value'] = cyclic;
  test.each([
    ['5,000 levels', levels(5_000)],
    ['a BigInt', { value: 10n }],
    ['a cycle', cyclic],
    [
      'a toJSON that throws',
      {
        value: {
          toJSON: () => {
            throw new Error('boom');
          },
        },
      },
    ],
    [
      'an accessor that throws',
      {
        get value() {
          throw new Error('boom');
        },
      },
    ],
  ])('%s in the answer ends applied', async (_name, answer) => {
    const call = await answering(answer);
    expect(await call.deliver()).toMatchObject({ status: 'applied', effect_reference: 'sample_1' });
    expect((await call.deliver()).status).toBe('replayed');
    expect(call.effects()).toBe(1);
  });

  test('a result beyond max_bytes is dropped and says so', async () => {
    const call = await answering({ note: 'x'.repeat(5_000) });
    expect((await call.deliver()).result).toMatchObject({ truncated: true });
    expect(await bench.row(call.key)).toMatchObject({ status: 'applied', effect_reference: 'sample_1' });
  });
});
