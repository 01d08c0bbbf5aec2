import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertEvidence, insertOperation } from '../../db/testing/factories.ts';
import type { Caller } from '../auth/caller.ts';
import type { CaseRow } from '../shapes/case-row.ts';
import { countCases } from './count-cases.ts';
import { listCases } from './list-cases.ts';
import { openConsoleBench, SCOPE, type ConsoleBench } from './testing/console-bench.ts';

let bench: ConsoleBench;
let operator: Caller;
beforeAll(async () => {
  bench = await openConsoleBench();
  operator = await bench.person(['operator']);
});
afterAll(() => bench.close());

async function everyPage(): Promise<CaseRow[]> {
  const cases: CaseRow[] = [];
  let after: string | null = null;
  do {
    const page = await listCases(operator, SCOPE, { after });
    cases.push(...page.cases);
    after = page.next;
  } while (after !== null);
  return cases;
}

describe('the queue', () => {
  test('holds what needs a person now, the one due first on top, and nothing of another scope', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const second = await insertOperation(bench.superuser, {
      response_due_at: later,
      request_redacted: { subject: 'VPN is down' },
    });
    const first = await insertOperation(bench.superuser, { response_due_at: soon });
    await insertOperation(bench.superuser, { case_at: later, response_due_at: soon });
    await insertOperation(bench.superuser, { status: 'applied', effect_reference: 'ticket_1' });
    await insertOperation(bench.superuser, { environment: 'staging' });
    await insertOperation(bench.superuser, { tenant_id: 'globex' });
    await insertEvidence(bench.superuser, second, {
      answer: 'found',
      effect_reference: 'ticket_7',
      authoritative: false,
    });

    const { cases } = await listCases(operator, SCOPE, { after: null });
    expect(cases.map((one) => one.operation_key)).toEqual([first, second]);
    expect(cases[1]).toMatchObject({
      target: 'VPN is down',
      evidence: 'found',
      evidence_reference: 'ticket_7',
      lookup: 'authoritative',
    });
    expect(await countCases(operator, SCOPE)).toMatchObject({
      open: 2,
      stuck_pending: 0,
      receipt_found: 1,
      overdue: 0,
    });
  });

  test('[B121] pages skip and repeat nothing, also within one microsecond', async () => {
    await bench.superuser.query('truncate tool_operations cascade');
    for (let n = 0; n < 130; n += 1)
      await insertOperation(bench.superuser, { response_due_at: '2026-08-18T14:02:07.123456Z' });
    await bench.superuser.query(
      `update tool_operations set response_due_at = response_due_at + (random() * 300)::integer * interval '1 microsecond'
        where right(operation_key, 1) in ('1', '2', '3')`,
    );
    const keys = (await everyPage()).map((one) => one.operation_key);
    expect(keys).toHaveLength(130);
    expect(new Set(keys).size).toBe(130);
  });

  test('a cursor that is not ours is refused', async () => {
    await expect(listCases(operator, SCOPE, { after: 'bm9uc2Vuc2U' })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  test('[S21] a scope without a grant is like one that does not exist, and the attempt is written down', async () => {
    const stranger = await bench.person([]);
    for (const tenant of ['acme', 'no-such-tenant']) {
      const asked = listCases(stranger, { tenant, environment: 'production' }, { after: null });
      await expect(asked).rejects.toMatchObject({
        code: 'not_found',
        message: 'There is nothing here, or it is not open to you.',
      });
    }
    expect(await bench.entries('_system', 'denied')).toBe(2);
    expect(await bench.entries('acme', 'denied')).toBe(0);
  });
});
