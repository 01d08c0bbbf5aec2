import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertOperation } from '../../db/testing/factories.ts';
import type { Caller } from '../auth/caller.ts';
import type { OperationSearch } from '../shapes/operation-search.ts';
import { listOperations } from './list-operations.ts';
import { openConsoleBench, SCOPE, type ConsoleBench } from './testing/console-bench.ts';

let bench: ConsoleBench;
let viewer: Caller;
beforeAll(async () => {
  bench = await openConsoleBench();
  viewer = await bench.person(['viewer']);
});
afterAll(() => bench.close());

const keys = async (search: OperationSearch) =>
  (await listOperations(viewer, SCOPE, search)).operations.map((one) => one.operation_key);

describe('the operations list', () => {
  test('finds by what a person has at hand, in its own scope only', async () => {
    const fingerprint = `sha256:${'9f2c41aa'.repeat(8)}`;
    const one = await insertOperation(bench.superuser, {
      operation_key: 'acme:production:run_827:record_issue',
      status: 'applied',
      effect_reference: 'ticket_1042',
      request_fingerprint: fingerprint,
      business_reference: 'issue-4711',
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    });
    await insertOperation(bench.superuser, {
      tenant_id: 'globex',
      effect_reference: 'ticket_1042',
      request_fingerprint: fingerprint,
    });
    await insertOperation(bench.superuser, { operation_key: 'acme:production:run_828:record_issue' });
    for (const q of [
      'acme:production:run_827',
      'run_827:record_issue',
      'ticket_1042',
      '9f2c41aa',
      fingerprint,
      'issue-4711',
      '4bf92f3577b34da6a3ce929d0e0e4736',
    ])
      expect(await keys({ q }), q).toEqual([one]);
    expect(await keys({ q: 'run_82%' })).toEqual([]);
    expect(await keys({ q: 'ticket_104' })).toEqual([]);
  });

  test('filters by status and tool together', async () => {
    const pending = await insertOperation(bench.superuser, {
      tool_name: 'refunds.create',
      status: 'failed_permanent',
      reason: 'refused',
    });
    expect(await keys({ status: 'failed_permanent' })).toEqual([pending]);
    expect(await keys({ status: 'failed_permanent', tool: 'tickets.create' })).toEqual([]);
    expect((await listOperations(viewer, SCOPE, {})).tools).toEqual(['tickets.create']);
  });

  test('[B121] pages skip and repeat nothing, also where every row has the same time', async () => {
    await bench.superuser.query('truncate tool_operations cascade');
    for (let n = 0; n < 120; n += 1)
      await insertOperation(bench.superuser, { updated_at: '2026-08-18T14:02:07.123456Z' });
    await bench.superuser.query(
      `update tool_operations set updated_at = updated_at + interval '1 microsecond' where right(operation_key, 1) in ('4', '5')`,
    );
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await listOperations(viewer, SCOPE, after === undefined ? {} : { after });
      seen.push(...page.operations.map((one) => one.operation_key));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
  });
});
