import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { ContractInput, Tool } from './index.ts';
import { keyOf, MESSAGE, newStep, newVersion, openBench, TICKET, type Bench } from './testing/bench.ts';

/** What each test keeps an operation for. */
const RETENTION = 30 * 86_400;

let bench: Bench;
let sends = 0;
let fault: string | undefined;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());
beforeEach(() => {
  fault = undefined;
});
afterEach(async () => {
  await bench.control.setConfig({ tickets: { down: false, index_lag_ms: 0 } });
});

const wire = () => ({ url: bench.deskline.url, fault: () => ((sends += 1), fault) });
const ticket = (change: Partial<ContractInput> = {}): Tool =>
  ticketsCreate(wire(), { version: newVersion(), retention_seconds: RETENTION, ...change });

async function delivered(tool: Tool, args: unknown = TICKET) {
  const step = newStep();
  const executor = await bench.executor([tool]);
  const deliver = (given: unknown = args) => executor.execute(tool.contract.name, given, step);
  const first = await deliver();
  return { key: keyOf(step), step, executor, deliver, first };
}

/** Delivers after the retention, before and after the compact duty: nothing is ever sent by it. */
async function late(call: Awaited<ReturnType<typeof delivered>>) {
  await bench.pass(call.key, RETENTION + 1);
  const [before, effects] = [sends, await bench.effects(call.key)];
  const uncompacted = await call.deliver();
  await call.executor.compact();
  const compacted = await call.deliver();
  expect(sends).toBe(before);
  expect(await bench.effects(call.key)).toEqual(effects);
  return [uncompacted, compacted];
}

const EXPIRED = {
  status: 'rejected',
  reason: 'expired_operation',
  next_action: 'inspect_operation',
  repeated: true,
  safe_to_repeat: false,
};

describe('a delivery after the retention', () => {
  test('is rejected where the contract says so, and its arrival is in the trace', async () => {
    const call = await delivered(ticket({ late_arrival: 'reject' }));
    for (const outcome of await late(call)) expect(outcome).toMatchObject({ ...EXPIRED, result: null });
    expect(await bench.kinds(call.key)).toEqual([
      'claim',
      'apply',
      'expired_arrival',
      'compact',
      'expired_arrival',
    ]);
    expect((await bench.events(call.key)).at(-1)).toMatchObject({ detail: { reason: 'expired_operation' } });
  });

  test('is replayed from its tombstone: the reference, without the result', async () => {
    const call = await delivered(ticket({ late_arrival: 'tombstone' }));
    expect(call.first.result).not.toBeNull();
    for (const outcome of await late(call))
      expect(outcome).toMatchObject({
        status: 'replayed',
        effect_reference: call.first.effect_reference,
        result: null,
        repeated: true,
      });
  });

  test('of what did not happen is rejected also with a tombstone, and never run', async () => {
    fault = 'refuse';
    const call = await delivered(ticket({ late_arrival: 'tombstone' }));
    expect(call.first.reason).toBe('refused');
    fault = undefined;
    for (const outcome of await late(call)) expect(outcome).toMatchObject(EXPIRED);
    expect(await bench.effects(call.key)).toEqual([]);
  });

  test('of another request is a mismatch before it is late, and is told nothing', async () => {
    const call = await delivered(ticket({ late_arrival: 'tombstone' }));
    await bench.pass(call.key, RETENTION + 1);
    for (const compacted of [0, 1]) {
      expect(await call.executor.compact()).toBe(compacted === 0 ? 1 : 0);
      expect(await call.deliver({ ...TICKET, body: 'Another.' })).toMatchObject({
        status: 'rejected',
        reason: 'fingerprint_mismatch',
        effect_reference: null,
      });
    }
  });

  describe('with reconcile_first', () => {
    const reconcileFirst = () => delivered(ticket({ late_arrival: 'reconcile_first' }));

    test('is replayed where the system of record still shows the effect', async () => {
      const call = await reconcileFirst();
      const replayed = { status: 'replayed', effect_reference: call.first.effect_reference };
      for (const outcome of await late(call)) expect(outcome).toMatchObject(replayed);
      expect(await bench.lookups(call.key)).toMatchObject([
        { asked_by: 'system:late_arrival', answer: 'found' },
        { asked_by: 'system:late_arrival', answer: 'found' },
      ]);
    });

    test('is rejected where it shows nothing, and is never run again', async () => {
      const call = await reconcileFirst();
      await bench.control.setConfig({ tickets: { index_lag_ms: 86_400_000 } });
      for (const outcome of await late(call)) expect(outcome).toMatchObject(EXPIRED);
      expect(await bench.lookups(call.key)).toMatchObject([{ answer: 'absent' }, { answer: 'absent' }]);
    });

    test('is rejected where it cannot be asked', async () => {
      const call = await reconcileFirst();
      await bench.control.setConfig({ tickets: { down: true } });
      for (const outcome of await late(call)) expect(outcome).toMatchObject(EXPIRED);
      expect(await bench.lookups(call.key)).toMatchObject([{ answer: 'failed' }, { answer: 'failed' }]);
    });
  });
});

describe('the compact duty', () => {
  test('keeps key, fingerprint, status and reference, and drops what was said and answered', async () => {
    const call = await delivered(ticket());
    const before = await bench.row(call.key);
    expect(before).toMatchObject({ response_json: { id: call.first.effect_reference }, tombstoned_at: null });
    expect(JSON.stringify(before['request_redacted'])).toContain(TICKET.body);
    await bench.pass(call.key, RETENTION - 5);
    expect(await call.executor.compact()).toBe(0);
    await bench.pass(call.key, 10);
    expect(await call.executor.compact()).toBe(1);
    expect(await call.executor.compact()).toBe(0); // once
    const after = await bench.row(call.key);
    for (const column of [
      'tenant_id',
      'operation_key',
      'request_fingerprint',
      'fingerprint_version',
      'tool_name',
      'tool_version',
      'status',
      'effect_reference',
      'attempt',
      'version',
    ])
      expect([column, after[column]]).toEqual([column, before[column]]);
    expect(after).toMatchObject({
      response_json: null,
      response_sealed: null,
      request_sealed: null,
      request_redacted: null,
      tombstoned_at: expect.any(Date),
    });
    expect(JSON.stringify(after)).not.toContain(TICKET.body);
  });

  test('drops what its evidence kept of the result, too', async () => {
    fault = 'commit_then_drop';
    const call = await delivered(ticket());
    fault = undefined;
    await bench.pass(call.key, 5);
    await call.executor.reconcile(200);
    const [found] = await bench.lookups(call.key);
    expect(found).toMatchObject({ answer: 'found', response_json: expect.any(Object) });
    await bench.pass(call.key, RETENTION + 1);
    expect(await call.executor.compact()).toBe(1);
    expect(await bench.lookups(call.key)).toMatchObject([
      { answer: 'found', effect_reference: found?.['effect_reference'], response_json: null },
    ]);
  });

  test('never takes what is in doubt: an unknown operation does not expire', async () => {
    fault = 'commit_then_drop';
    const unknown = await delivered(
      messagesSend(wire(), { version: newVersion(), retention_seconds: RETENTION }),
      MESSAGE,
    );
    const recovering = await delivered(ticket());
    expect(unknown.first.status).toBe('unknown');
    expect(recovering.first.status).toBe('in_flight');
    fault = undefined;
    for (const { key } of [unknown, recovering]) {
      await bench.pass(key, 10 * 365 * 86_400);
      // even where somebody dated it
      await bench.sql(
        `update public.tool_operations set expires_at = now() - interval '1 day' where operation_key = $1`,
        [key],
      );
    }
    const before = sends;
    expect(await unknown.executor.compact()).toBe(0);
    expect(await recovering.executor.compact()).toBe(0);
    expect((await unknown.deliver()).status).toBe('unknown');
    expect((await recovering.deliver()).status).toBe('in_flight');
    expect(sends).toBe(before);
    expect(await bench.effects(unknown.key)).toHaveLength(1);
    expect((await bench.row(unknown.key))['request_redacted']).not.toBeNull();
  });

  test('never takes what is contradicted, since its evidence is somebody’s work', async () => {
    const call = await delivered(ticket());
    await bench.store.recordEvidence([
      {
        tenant_id: 'acme',
        environment: 'production',
        operation_key: call.key,
        source: 'lookup',
        asked_by: 'system:reconcile x',
        answer: 'found',
        authoritative: true,
        effect_reference: 'ticket_7',
        summary: 'Deskline shows ticket_7.',
        trace: {},
      },
    ]);
    await bench.pass(call.key, RETENTION + 1);
    expect(await call.executor.compact()).toBe(0);
    const id = { tenant_id: 'acme', environment: 'production', operation_key: call.key, trace: {} };
    expect(await bench.store.transition('compact', [id])).toMatchObject([{ refusal: 'not_allowed' }]);
    expect((await bench.row(call.key))['response_json']).not.toBeNull();
  });
});
