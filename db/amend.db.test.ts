import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertEvidence, insertOperation } from './testing/factories.ts';
import { openTwoPersons, type TwoPersons } from './testing/two-persons.ts';

let two: TwoPersons;
let workers: Pool;
beforeAll(async () => {
  two = await openTwoPersons();
  workers = new Pool({ connectionString: two.urls.executor, max: 4 });
});
afterAll(async () => {
  await workers.end();
  await two.close();
});

const HOUR_AGO = new Date(Date.now() - 3_600_000);

/** A resolved operation that evidence of this kind contradicts. */
async function contradicted(status: string, answer: string, fields: Record<string, unknown> = {}) {
  const { effect_reference: found, ...columns } = fields;
  const key = await insertOperation(two.superuser, { status, doubt_attempt: null, ...columns });
  await insertEvidence(two.superuser, key, { answer, effect_reference: found ?? null });
  await two.superuser.query(
    'update tool_operations set contradicted_at = $2, case_at = $2 where operation_key = $1',
    [key, HOUR_AGO],
  );
  return key;
}

/** An operation with a successor, by the verdict of two persons; then the effect of the first key is found. */
async function superseded(reference = `ticket_${randomUUID()}`) {
  const key = await insertOperation(two.superuser);
  const said = await two.together({ key, verdict: 'approved_new_key' });
  const successor = String(said['successor_key']);
  const find = async () => {
    await insertEvidence(two.superuser, key, { answer: 'found', effect_reference: reference });
    await two.superuser.query(
      'update tool_operations set contradicted_at = now(), case_at = now(), version = version + 1 where operation_key = $1',
      [key],
    );
  };
  return {
    key,
    successor,
    find,
    amend: () => two.together({ key, version: 3, verdict: 'applied', reference }),
  };
}

async function fire(event: string, key: string, part: Record<string, unknown> = {}) {
  const item = { tenant_id: 'acme', environment: 'production', operation_key: key, ...part };
  const { rows } = await workers.query<{ answer: { refusal: string | null }[] }>(
    'select app.transition($1, $2) as answer',
    [event, JSON.stringify([item])],
  );
  return rows[0]?.answer[0]?.refusal;
}
const take = (key: string, send: boolean, lease_token: string = randomUUID()) =>
  fire('acquire', key, {
    lease_token,
    lease_owner: 'w-1',
    downstream_key: key,
    downstream_request_id: 'r-1',
    send,
  });

describe('amend', () => {
  test('takes contradicting evidence: what nothing contradicts stays resolved, by however many persons', async () => {
    const key = await insertOperation(two.superuser, { status: 'failed_permanent', reason: 'refused' });
    for (const verdict of ['applied', 'failed_permanent', 'approved_new_key'])
      expect(await two.together({ key, verdict, reference: 'ticket_no' })).toMatchObject({
        outcome: 'refused',
        refusal: 'already_resolved',
      });
    expect(await two.row(key)).toMatchObject({ status: 'failed_permanent', version: '1' });
  });

  test('takes a second person, always', async () => {
    const key = await contradicted('applied', 'absent', {});
    for (const verdict of ['applied', 'failed_permanent'])
      expect(await two.decide({ key, verdict, reference: 'ticket_a' })).toMatchObject({
        refusal: 'second_person_required',
      });
    expect(await two.decide({ key, verdict: 'approved_new_key' })).toMatchObject({
      refusal: 'already_resolved',
    });
    expect(await two.together({ key })).toMatchObject({ outcome: 'decided', status: 'failed_permanent' });
  });

  test('failed_permanent to applied: the receipt and its result are recorded and the contradiction ends', async () => {
    const key = await contradicted('failed_permanent', 'found', {
      reason: 'refused',
      effect_reference: 'ticket_55',
    });
    await two.superuser.query(
      `update lookups set response_json = '{"id":"ticket_55"}' where operation_key = $1`,
      [key],
    );
    expect(await two.together({ key, verdict: 'applied' })).toMatchObject({ refusal: 'receipt_required' });
    expect(await two.together({ key, verdict: 'applied', reference: 'ticket_55' })).toMatchObject({
      outcome: 'decided',
    });
    expect(await two.row(key)).toMatchObject({
      status: 'applied',
      reason: null,
      effect_reference: 'ticket_55',
      response_json: { id: 'ticket_55' },
      contradicted_at: null,
      case_at: null,
      version: '2',
    });
    expect((await two.audit(key)).at(-1)).toMatchObject({
      action: 'decision',
      detail: {
        verdict: 'applied',
        from_status: 'failed_permanent',
        approver: 'Marek Brandt',
        amends: { status: 'failed_permanent', reason: 'refused', effect_reference: null },
        revoked: [],
        second_effects: [],
      },
    });
    const { rows } = await two.superuser.query(
      `select kind, from_status, to_status from tool_operation_events where operation_key = $1`,
      [key],
    );
    expect(rows).toEqual([{ kind: 'amend', from_status: 'failed_permanent', to_status: 'applied' }]);
  });

  test('applied to failed_permanent drops the receipt and the result; both stay in the audit log', async () => {
    const key = await contradicted('applied', 'absent', { response_json: '{"id":"ticket_1"}' });
    await two.superuser.query(
      `update tool_operations set effect_reference = 'ticket_1' where operation_key = $1`,
      [key],
    );
    await two.together({ key });
    expect(await two.row(key)).toMatchObject({
      status: 'failed_permanent',
      reason: 'decided',
      effect_reference: null,
      response_json: null,
      contradicted_at: null,
      case_at: null,
    });
    expect((await two.audit(key)).at(-1)?.detail).toMatchObject({ amends: { effect_reference: 'ticket_1' } });
  });

  test('rule 3: never says that it did not happen against found evidence', async () => {
    for (const status of ['applied', 'failed_permanent', 'approved_new_key']) {
      const key = await contradicted(status, 'found', { effect_reference: 'ticket_there' });
      expect(await two.together({ key })).toMatchObject({ refusal: 'effect_found' });
      expect(await two.row(key)).toMatchObject({ status, version: '1' });
    }
  });

  test('may keep what was said, and so ends a contradiction that two persons looked into', async () => {
    const key = await contradicted('applied', 'absent');
    await two.superuser.query(
      `update tool_operations set effect_reference = 'ticket_kept', response_json = '{"kept":1}' where operation_key = $1`,
      [key],
    );
    await two.together({ key, verdict: 'applied', reference: 'ticket_kept' });
    expect(await two.row(key)).toMatchObject({
      status: 'applied',
      response_json: { kept: 1 },
      contradicted_at: null,
      case_at: null,
    });
  });

  test('naming a receipt that no finding names stays a case', async () => {
    const key = await contradicted('failed_permanent', 'found', { effect_reference: 'ticket_found' });
    await two.together({ key, verdict: 'applied', reference: 'ticket_typed' });
    const after = await two.row(key);
    expect(after).toMatchObject({ status: 'applied', effect_reference: 'ticket_typed' });
    expect(after['contradicted_at']).toEqual(HOUR_AGO);
    expect(after['case_at']).toBeInstanceOf(Date);
    await two.together({ key, version: 2, verdict: 'applied', reference: 'ticket_found' });
    expect(await two.row(key)).toMatchObject({ effect_reference: 'ticket_found', case_at: null });
  });
});

describe('amending a superseded key', () => {
  test('revokes a successor that has not run, in the same statement', async () => {
    const { key, successor, find, amend } = await superseded();
    await find();
    const said = await amend();
    expect(said).toMatchObject({ outcome: 'decided', status: 'applied' });
    expect(await two.row(key)).toMatchObject({
      status: 'applied',
      contradicted_at: null,
      successor_key: successor,
    });
    const after = await two.row(successor);
    expect(after).toMatchObject({
      status: 'failed_permanent',
      reason: 'revoked',
      pending_reason: null,
      next_attempt_at: null,
      case_at: null,
      version: '2',
    });
    expect(after['expires_at']).toBeInstanceOf(Date);
    expect((await two.audit(key)).at(-1)?.detail).toMatchObject({ revoked: [successor], second_effects: [] });
    expect(await take(successor, true)).toBe('not_allowed');
  });

  test('revokes a leased one that was not sent: its worker is fenced before the wire', async () => {
    const { successor, find, amend } = await superseded();
    const lease_token = randomUUID();
    expect(await take(successor, false, lease_token)).toBeNull();
    await find();
    await amend();
    expect(await two.row(successor)).toMatchObject({
      status: 'failed_permanent',
      reason: 'revoked',
      lease_token: null,
    });
    expect(await fire('send', successor, { lease_token, downstream_request_id: 'r-2' })).toBe('fenced');
    expect(await two.row(successor)).toMatchObject({ sent_attempt: null });
  });

  test('opens a case on a successor that has run, and it stays one when its worker ends', async () => {
    const { key, successor, find, amend } = await superseded();
    const lease_token = randomUUID();
    expect(await take(successor, true, lease_token)).toBeNull();
    await find();
    await amend();
    const running = await two.row(successor);
    expect(running).toMatchObject({ status: 'pending', pending_reason: 'leased', lease_token });
    expect(running['contradicted_at']).toBeInstanceOf(Date);
    expect(
      await fire('apply', successor, { lease_token, effect_reference: 'ticket_second', response: {} }),
    ).toBeNull();
    const done = await two.row(successor);
    expect(done).toMatchObject({ status: 'applied', effect_reference: 'ticket_second' });
    expect(done['case_at']).toBeInstanceOf(Date);
    expect((await two.audit(key)).at(-1)?.detail).toMatchObject({ revoked: [], second_effects: [successor] });
    const { rows } = await two.superuser.query<{ detail: unknown }>(
      `select detail from tool_operation_events where operation_key = $1 and kind = 'amend'`,
      [successor],
    );
    expect(rows[0]?.detail).toMatchObject({ second_effect_of: key });
    // two persons look into it and close it, whatever they do about the second ticket
    const version = Number(done['version']);
    expect(
      await two.together({ key: successor, version, verdict: 'applied', reference: 'ticket_second' }),
    ).toMatchObject({ outcome: 'decided' });
    expect(await two.row(successor)).toMatchObject({
      status: 'applied',
      case_at: null,
      contradicted_at: null,
    });
  });

  test('a successor in doubt whose effect did not happen is closed, and gets no successor of its own', async () => {
    const { successor, find, amend } = await superseded();
    const lease_token = randomUUID();
    await take(successor, true, lease_token);
    await find();
    await amend();
    await fire('doubt', successor, { lease_token, reason: 'no_answer' });
    const version = Number((await two.row(successor))['version']);
    expect(await two.together({ key: successor, version, verdict: 'approved_new_key' })).toMatchObject({
      outcome: 'refused',
      refusal: 'predecessor_changed',
    });
    expect(await two.together({ key: successor, version })).toMatchObject({ outcome: 'decided' });
    expect(await two.row(successor)).toMatchObject({
      status: 'failed_permanent',
      case_at: null,
      contradicted_at: null,
    });
  });

  test('a successor in doubt whose effect did happen stays a case after that is said', async () => {
    const { successor, find, amend } = await superseded();
    const lease_token = randomUUID();
    await take(successor, true, lease_token);
    await find();
    await amend();
    await fire('doubt', successor, { lease_token, reason: 'no_answer' });
    const version = Number((await two.row(successor))['version']);
    const said = { key: successor, version, verdict: 'applied', reference: 'ticket_twice_there' };
    expect(await two.decide(said)).toMatchObject({ outcome: 'decided' });
    const after = await two.row(successor);
    expect(after).toMatchObject({ status: 'applied', effect_reference: 'ticket_twice_there' });
    expect(after['case_at']).toBeInstanceOf(Date);
  });

  test('a successor that failed is no second effect', async () => {
    const { successor, find, amend } = await superseded();
    const lease_token = randomUUID();
    await take(successor, true, lease_token);
    await fire('refuse', successor, { lease_token });
    const before = await two.row(successor);
    await find();
    await amend();
    expect(await two.row(successor)).toEqual(before);
  });

  test('reaches through a successor that was superseded itself', async () => {
    const { key, successor, find, amend } = await superseded();
    await two.decide({ key: successor, verdict: 'approved_new_key' });
    const last = `${key}!2`;
    expect(await two.row(last)).toMatchObject({ status: 'pending', supersedes_key: successor });
    await find();
    await amend();
    expect(await two.row(last)).toMatchObject({ status: 'failed_permanent', reason: 'revoked' });
    expect(await two.row(successor)).toMatchObject({ status: 'approved_new_key' });
  });

  test('a finding that races with the successor’s send: it is revoked unsent or a case, never a quiet second effect', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { successor, find, amend } = await superseded();
      const lease_token = randomUUID();
      expect(await take(successor, false, lease_token)).toBeNull();
      const [refusal] = await Promise.all([
        fire('send', successor, { lease_token, downstream_request_id: `r-${n}` }),
        find(),
      ]);
      expect(await amend()).toMatchObject({ outcome: 'decided' });
      const after = await two.row(successor);
      if (refusal === null) expect(after['contradicted_at']).toBeInstanceOf(Date);
      else expect(after).toMatchObject({ status: 'failed_permanent', reason: 'revoked', sent_attempt: null });
    }
  });

  test('an approval that races with the end of the successor’s attempt leaves no second effect unseen', async () => {
    for (let n = 0; n < 10; n += 1) {
      const { successor, find, amend } = await superseded();
      const lease_token = randomUUID();
      await take(successor, true, lease_token);
      await find();
      const [answer, refusal] = await Promise.all([
        amend(),
        fire('apply', successor, { lease_token, effect_reference: `ticket_end_${n}`, response: {} }),
      ]);
      expect([answer['outcome'], refusal]).toEqual(['decided', null]);
      const after = await two.row(successor);
      expect(after).toMatchObject({ status: 'applied' });
      expect(after['case_at']).toBeInstanceOf(Date);
    }
  });
});
