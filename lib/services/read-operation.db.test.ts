import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertEvidence, insertOperation } from '../../db/testing/factories.ts';
import type { Caller } from '../auth/caller.ts';
import { askLookup } from './ask-lookup.ts';
import { readOperation } from './read-operation.ts';
import { openConsoleBench, SCOPE, type ConsoleBench } from './testing/console-bench.ts';

let bench: ConsoleBench;
let operator: Caller;
beforeAll(async () => {
  bench = await openConsoleBench();
  operator = await bench.person(['operator']);
});
afterAll(() => bench.close());

const read = (key: string, caller = operator) => readOperation(caller, SCOPE, { operationKey: key });

describe('one operation', () => {
  test("comes with its facts, its contract's costs, its evidence and the caller's roles", async () => {
    const key = await insertOperation(bench.superuser, { request_redacted: { subject: 'VPN is down' } });
    await insertEvidence(bench.superuser, key, { answer: 'absent' });
    const detail = await read(key);
    expect(detail).toMatchObject({
      target: 'VPN is down',
      facts: { status: 'unknown', doubt: 'own', evidence: 'absent_conclusive', lookup: 'authoritative' },
      contract: {
        cost_of_duplicate: 'Two tickets.',
        cost_of_missing: 'No ticket.',
        owner: 'Support',
        system: 'deskline.tickets',
      },
      evidence: [
        { answer: 'absent', asked_late_enough: true, is_current: true, asked_by: 'system:reconcile' },
      ],
      question: null,
      decisions: [],
      roles: ['operator'],
    });
  });

  test('an absence that was asked too early is not late enough, and says from when it counts', async () => {
    const key = await insertOperation(bench.superuser, {
      quiet_until: new Date(Date.now() + 60_000).toISOString(),
    });
    await insertEvidence(bench.superuser, key, { answer: 'absent' });
    const detail = await read(key);
    expect(detail).toMatchObject({ facts: { evidence: 'absent' }, evidence: [{ asked_late_enough: false }] });
    expect(Date.parse(detail.absence_counts_from ?? '')).toBe(
      Date.parse(detail.record.quiet_until ?? '') + 1_000,
    );
  });

  test('[S11] nothing sealed and no lease token leaves the database', async () => {
    const key = await insertOperation(bench.superuser, {
      status: 'pending',
      pending_reason: 'leased',
      reason: null,
      lease_owner: 'w-1',
      lease_token: randomUUID(),
      lease_until: new Date(Date.now() + 60_000).toISOString(),
      request_sealed: Buffer.from('canary-sealed'),
      response_sealed: Buffer.from('canary-sealed'),
    });
    const text = JSON.stringify(await read(key));
    expect(text).not.toContain('lease_token');
    expect(text).not.toContain(Buffer.from('canary-sealed').toString('hex'));
    expect(text).not.toContain('canary');
  });

  test('a stored answer too large for a page is left out, and said to be there', async () => {
    const noise = Array.from({ length: 3_000 }, () => randomUUID());
    const key = await insertOperation(bench.superuser, {
      status: 'applied',
      effect_reference: 'ticket_1',
      response_json: JSON.stringify({ noise }),
    });
    expect((await read(key)).record).toMatchObject({ has_response: true, response_json: null });
  });

  test('[S21] a key of another scope is like one that does not exist', async () => {
    const elsewhere = await insertOperation(bench.superuser, { environment: 'staging' });
    const message = 'There is no operation with this key, or it is not open to you.';
    await expect(read(elsewhere)).rejects.toMatchObject({ code: 'not_found', message });
    await expect(read('acme:production:no:such')).rejects.toMatchObject({ code: 'not_found', message });
  });
});

describe('a look-up from the console', () => {
  test('is stored as a question, shown as asked with the name of who asked, and asked once', async () => {
    const key = await insertOperation(bench.superuser);
    const request_id = randomUUID();
    expect(await askLookup(operator, SCOPE, key, { request_id })).toEqual({ outcome: 'asked', request_id });
    expect(await askLookup(operator, SCOPE, key, { request_id: randomUUID() })).toEqual({
      outcome: 'already_asked',
      request_id,
    });
    expect((await read(key)).question).toMatchObject({ request_id, asked_by: 'Ines Okafor' });
    expect(await bench.entries('acme', 'lookup')).toBe(1);
  });

  test('[B124] is refused to whoever only looks, and written down', async () => {
    const viewer = await bench.person(['viewer', 'auditor'], 'Otto Lindqvist');
    const key = await insertOperation(bench.superuser);
    await expect(askLookup(viewer, SCOPE, key, { request_id: randomUUID() })).rejects.toMatchObject({
      code: 'forbidden',
      details: { refusal: 'not_granted' },
    });
    expect(await bench.entries('acme', 'lookup_refused')).toBe(1);
  });
});
