import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import { defineTool, type InputSchema, type Tool } from './index.ts';
import { keyOf, newStep, newVersion, openBench, TICKET, type Bench } from './testing/bench.ts';

let bench: Bench;
let sends = 0;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());
beforeEach(() => {
  sends = 0;
});

type Ticket = typeof TICKET;
/** One shape, said in two libraries; both give an omitted queue its value. */
const SCHEMAS: Record<'zod' | 'valibot', InputSchema<Ticket>> = {
  zod: z.strictObject({
    queue_id: z.string().default('support'),
    subject: z.string().min(1),
    body: z.string(),
    customer_id: z.string(),
  }),
  valibot: v.strictObject({
    queue_id: v.optional(v.string(), 'support'),
    subject: v.pipe(v.string(), v.minLength(1)),
    body: v.string(),
    customer_id: v.string(),
  }),
};

function toolOf(input: InputSchema<Ticket>): Tool {
  const filing = ticketsCreate(
    { url: bench.deskline.url, fault: () => ((sends += 1), undefined) },
    { version: newVersion() },
  );
  return defineTool({ ...filing, input }) as Tool;
}

describe.each(['zod', 'valibot'] as const)('a tool whose input is a schema of %s', (library) => {
  test('is run with what the schema gave, and replayed', async () => {
    const executor = await bench.executor([toolOf(SCHEMAS[library])]);
    const step = newStep();
    const { queue_id: _omitted, ...args } = TICKET;
    const first = await executor.execute('tickets.create', args, step);
    expect(first.status).toBe('applied');
    expect((await executor.execute('tickets.create', TICKET, step)).status).toBe('replayed');
    expect(await bench.effects(keyOf(step))).toEqual([first.effect_reference]);
    expect(sends).toBe(1);
  });

  test.each([
    ['a field of another type', { ...TICKET, subject: 7 }, '$.subject'],
    ['a text that is too short', { ...TICKET, subject: '' }, '$.subject'],
    ['a field too many', { ...TICKET, operation_key: 'mine' }, '$'],
    ['no object', 'ticket', '$'],
  ])('refuses %s before the claim, with its path', async (_name, args, path) => {
    const executor = await bench.executor([toolOf(SCHEMAS[library])]);
    const rows = await bench.rows();
    const outcome = await executor.execute('tickets.create', args, newStep());
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: 'invalid_arguments',
      next_action: 'fix_arguments',
    });
    expect(outcome.problem?.path.startsWith(path)).toBe(true);
    expect(sends).toBe(0);
    expect(await bench.rows()).toBe(rows);
  });
});

test('one request has one fingerprint, whichever library checked it', async () => {
  const fingerprints = [];
  for (const schema of Object.values(SCHEMAS)) {
    const executor = await bench.executor([toolOf(schema)]);
    const step = newStep();
    await executor.execute('tickets.create', TICKET, step);
    fingerprints.push((await bench.row(keyOf(step)))['request_fingerprint']);
  }
  expect(new Set(fingerprints).size).toBe(1);
});

test('where a schema cannot be read at registration, identity from the model is refused at the delivery', async () => {
  const loose = v.looseObject({ ...SCHEMA_FIELDS, tenant_id: v.string() });
  const executor = await bench.executor([toolOf(loose)]);
  const outcome = await executor.execute('tickets.create', { ...TICKET, tenant_id: 'globex' }, newStep());
  expect(outcome).toMatchObject({ status: 'rejected', reason: 'invalid_arguments' });
  expect(outcome.problem?.path).toBe('$.tenant_id');
  expect(sends).toBe(0);
});

const SCHEMA_FIELDS = {
  queue_id: v.string(),
  subject: v.string(),
  body: v.string(),
  customer_id: v.string(),
};
