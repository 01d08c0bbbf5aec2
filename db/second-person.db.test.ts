import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertEvidence, insertOperation, insertUser } from './testing/factories.ts';
import { openTwoPersons, type TwoPersons } from './testing/two-persons.ts';

let two: TwoPersons;
beforeAll(async () => {
  two = await openTwoPersons();
});
afterAll(() => two.close());

const actions = async (key: string) => (await two.audit(key)).map((entry) => entry.action);

describe('a proposal', () => {
  test('changes nothing of the operation, is audited, and lets a doubtful verdict be recorded by two persons', async () => {
    const key = await insertOperation(two.superuser);
    const before = await two.row(key);
    const id = randomUUID();
    expect(await two.decide({ key, verdict: 'failed_permanent' })).toMatchObject({
      refusal: 'second_person_required',
    });
    expect(await two.propose({ key, id })).toMatchObject({
      outcome: 'proposed',
      state: 'proposed',
      version: 1,
    });
    expect(await two.row(key)).toEqual(before);

    expect(await two.approve({ key, id })).toMatchObject({
      outcome: 'decided',
      state: 'approved',
      status: 'failed_permanent',
      version: 2,
    });
    expect(await two.row(key)).toMatchObject({
      status: 'failed_permanent',
      reason: 'decided',
      case_at: null,
      resolved_by: `decision:${id}`,
    });
    expect(await two.decision(id)).toMatchObject({
      state: 'approved',
      decided_by: two.operator,
      approved_by: two.approver,
      approval_reason: 'I looked too.',
      recorded_version: '2',
    });
    const entries = await two.audit(key);
    expect(entries.map((e) => [e.action, e.actor])).toEqual([
      ['decision_refused', `user:${two.operator}`],
      ['proposal', `user:${two.operator}`],
      ['decision', `user:${two.approver}`],
    ]);
    expect(entries[2]?.detail).toMatchObject({
      proposed_by: `user:${two.operator}`,
      approved_by: `user:${two.approver}`,
      person: 'Ines Okafor',
      approver: 'Marek Brandt',
      reason: 'Deskline has nothing.',
      approval_reason: 'I looked too.',
    });
  });

  test('of applied against conclusive absence, or with a receipt that another operation has, is carried out', async () => {
    const absent = await insertOperation(two.superuser);
    await insertEvidence(two.superuser, absent, { answer: 'absent' });
    const applied = { verdict: 'applied', reference: 'ticket_two' };
    expect(await two.decide({ key: absent, ...applied })).toMatchObject({
      refusal: 'second_person_required',
    });
    expect(await two.together({ key: absent, ...applied })).toMatchObject({
      outcome: 'decided',
      status: 'applied',
    });
    const second = await insertOperation(two.superuser);
    expect(await two.decide({ key: second, ...applied })).toMatchObject({
      refusal: 'second_person_required',
    });
    expect(await two.together({ key: second, ...applied })).toMatchObject({ outcome: 'decided' });
  });

  test('is judged as a decision is: found evidence, a missing receipt and a missing role refuse it, audited', async () => {
    const key = await insertOperation(two.superuser);
    expect(await two.propose({ key, verdict: 'applied' })).toMatchObject({ refusal: 'receipt_required' });
    expect(await two.propose({ key, user: two.approver })).toMatchObject({ refusal: 'not_granted' });
    expect(await two.propose({ key, version: 7 })).toMatchObject({ outcome: 'conflict', version: 1 });
    await insertEvidence(two.superuser, key, { answer: 'found', effect_reference: 'ticket_9' });
    expect(await two.propose({ key })).toMatchObject({ refusal: 'effect_found' });
    expect(await actions(key)).toEqual([
      'proposal_refused',
      'proposal_refused',
      'proposal_conflict',
      'proposal_refused',
    ]);
  });

  test('sent twice is stored once; its id names nothing else, and is no decision', async () => {
    const key = await insertOperation(two.superuser);
    const proposal = { key, id: randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(() => two.propose(proposal)));
    expect(answers.map((a) => a['outcome']).toSorted()).toEqual(['proposed', 'repeated', 'repeated']);
    expect(await actions(key)).toEqual(['proposal']);
    expect(await two.propose({ ...proposal, reason: 'Edited.' })).toEqual({ outcome: 'decision_id_reused' });
    expect(await two.decide(proposal)).toEqual({ outcome: 'decision_id_reused' });
    expect(await two.row(key)).toMatchObject({ version: '1' });
  });
});

describe('[S20] the second person', () => {
  test('is never the person who proposed, whatever roles that person has', async () => {
    const both = await insertUser(two.superuser, ['operator', 'approver']);
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    await two.propose({ key, id, user: both });
    expect(await two.approve({ key, id, user: both })).toMatchObject({
      outcome: 'refused',
      refusal: 'own_proposal',
    });
    expect(await two.row(key)).toMatchObject({ status: 'unknown', version: '1' });
    expect(await actions(key)).toEqual(['proposal', 'proposal_approval_refused']);
    // and the table itself holds no such row
    await expect(
      two.superuser.query(
        `update decisions set state = 'approved', approved_by = decided_by, approved_at = now(), approval_reason = 'x',
           recorded_version = 2 where decision_id = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ constraint: 'decisions_two_persons' });
  });

  test('is an approver of this very scope, by the database', async () => {
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    await two.propose({ key, id });
    const otherOperator = await insertUser(two.superuser, ['operator']);
    expect(await two.approve({ key, id, user: otherOperator })).toMatchObject({ refusal: 'not_granted' });
    const elsewhere = await insertUser(two.superuser, ['approver'], { environment: 'staging' });
    expect(await two.approve({ key, id, user: elsewhere })).toEqual({ outcome: 'not_found' });
    expect(await two.approve({ key, id, user: elsewhere, environment: 'staging' })).toEqual({
      outcome: 'not_found',
    });
    const disabled = await insertUser(two.superuser, ['approver']);
    await two.superuser.query('update users set disabled_at = now() where user_id = $1', [disabled]);
    expect(await two.approve({ key, id, user: disabled })).toEqual({ outcome: 'not_found' });
    expect(await two.approve({ key, id: randomUUID() })).toEqual({ outcome: 'not_found' });
    expect(await two.row(key)).toMatchObject({ version: '1' });
  });

  test('has been an approver since before the proposal: a newer grant does not count', async () => {
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    await two.propose({ key, id });
    const late = await insertUser(two.superuser, ['approver']);
    expect(await two.approve({ key, id, user: late })).toMatchObject({
      outcome: 'refused',
      refusal: 'grant_too_new',
    });
    expect(await two.row(key)).toMatchObject({ version: '1' });
    // a proposal that is made after the grant is another matter
    const again = randomUUID();
    await two.propose({ key, id: again });
    expect(await two.approve({ key, id: again, user: late })).toMatchObject({ outcome: 'decided' });
  });

  test('8 approvals at once are one transition, one decision entry and one trace event', async () => {
    const approvers: string[] = [];
    for (let n = 0; n < 8; n += 1) approvers.push(await insertUser(two.superuser, ['approver']));
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    await two.propose({ key, id, verdict: 'approved_new_key' });
    const answers = await Promise.all(approvers.map((user) => two.approve({ key, id, user })));
    expect(answers.map((a) => a['outcome']).toSorted()).toEqual([...Array(7).fill('conflict'), 'decided']);
    expect(answers.filter((a) => a['outcome'] === 'conflict').every((a) => a['state'] === 'approved')).toBe(
      true,
    );
    expect(await two.row(key)).toMatchObject({
      status: 'approved_new_key',
      version: '2',
      successor_key: `${key}!1`,
    });
    expect((await actions(key)).filter((a) => a === 'decision')).toHaveLength(1);
    const { rows } = await two.superuser.query(
      `select (select count(*) from tool_operations where supersedes_key = $1)::int as successors,
         (select count(*) from tool_operation_events where operation_key = $1 and kind = 'decide_new_key')::int as events`,
      [key],
    );
    expect(rows[0]).toEqual({ successors: 1, events: 1 });
  });

  test('the same approval again returns its first result', async () => {
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    await two.propose({ key, id });
    const first = await two.approve({ key, id });
    expect(await two.approve({ key, id })).toEqual({ ...first, outcome: 'repeated' });
    expect(await actions(key)).toEqual(['proposal', 'decision']);
  });

  test('an edited proposal is a new one and voids the old, which nobody can approve any more', async () => {
    const [key, old, edited] = [await insertOperation(two.superuser), randomUUID(), randomUUID()];
    await two.propose({ key, id: old });
    await two.propose({ key, id: edited, reason: 'Said better.' });
    expect(await two.approve({ key, id: old })).toMatchObject({
      outcome: 'conflict',
      state: 'voided',
      voided_because: 'replaced',
    });
    expect((await two.audit(key))[1]?.detail).toMatchObject({ decision_id: edited, voids: old });
    expect(await two.row(key)).toMatchObject({ version: '1' });
    expect(await two.approve({ key, id: edited })).toMatchObject({ outcome: 'decided' });
  });

  test('whatever changed the version voids the proposal, and the answer says who changed what', async () => {
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    await two.propose({ key, id });
    await two.superuser.query('update tool_operations set version = version + 1 where operation_key = $1', [
      key,
    ]);
    await two.superuser.query(
      `insert into tool_operation_events (tenant_id, environment, operation_key, kind, to_status, version, worker)
       values ('acme', 'production', $1, 'looked_up', 'unknown', 2, 'w-7')`,
      [key],
    );
    expect(await two.approve({ key, id, version: 2 })).toMatchObject({
      outcome: 'conflict',
      state: 'voided',
      voided_because: 'version_changed',
      version: 2,
      change: 'looked_up',
      changed_by: 'w-7',
    });
    expect(await two.decision(id)).toMatchObject({ state: 'voided', voided_because: 'version_changed' });
    expect(await actions(key)).toEqual(['proposal', 'proposal_voided']);
    expect(await two.row(key)).toMatchObject({ status: 'unknown', version: '2' });
  });

  test('a repeated equal answer of the system of record changes no version, so the proposal stands', async () => {
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    const hear = () =>
      two.superuser.query('select app.record_evidence($1)', [
        JSON.stringify([
          {
            tenant_id: 'acme',
            environment: 'production',
            operation_key: key,
            source: 'lookup',
            asked_by: 'system:reconcile',
            answer: 'pending',
            authoritative: true,
            summary: 'Deskline is not done.',
            trace: {},
          },
        ]),
      ]);
    await hear();
    await two.propose({ key, id, version: 2 });
    await hear();
    expect(await two.approve({ key, id, version: 2 })).toMatchObject({ outcome: 'decided', version: 3 });
  });

  test('an approver who looked at another version than the proposal is told, and the proposal stands', async () => {
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    await two.propose({ key, id });
    expect(await two.approve({ key, id, version: 4 })).toMatchObject({
      outcome: 'conflict',
      state: 'proposed',
    });
    expect(await two.approve({ key, id })).toMatchObject({ outcome: 'decided' });
  });

  test('a verdict that is no longer possible is refused, whoever agrees', async () => {
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    await two.propose({ key, id });
    await insertEvidence(two.superuser, key, { answer: 'found', effect_reference: 'ticket_3' });
    expect(await two.approve({ key, id })).toMatchObject({ outcome: 'refused', refusal: 'effect_found' });
    expect(await two.row(key)).toMatchObject({ status: 'unknown' });
  });

  test('a proposer who lost the role proposes nothing any more', async () => {
    const proposer = await insertUser(two.superuser, ['operator']);
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    await two.propose({ key, id, user: proposer });
    await two.superuser.query('delete from grants where user_id = $1', [proposer]);
    expect(await two.approve({ key, id })).toMatchObject({
      state: 'voided',
      voided_because: 'proposer_not_granted',
    });
    expect(await two.row(key)).toMatchObject({ version: '1' });
  });

  test('a proposal whose stored content was altered is not carried out', async () => {
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    await two.propose({ key, id });
    await two.superuser.query(`update decisions set verdict = 'approved_new_key' where decision_id = $1`, [
      id,
    ]);
    await expect(two.approve({ key, id })).rejects.toMatchObject({ code: '22000' });
    expect(await two.row(key)).toMatchObject({ version: '1' });
  });

  test('a decision of one person has nothing to approve', async () => {
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    await two.decide({ key, id, verdict: 'applied', reference: 'ticket_alone' });
    expect(await two.approve({ key, id })).toMatchObject({ outcome: 'conflict', state: 'recorded' });
    expect(await two.decision(id)).toMatchObject({ state: 'recorded', approved_by: null });
  });
});

test('[S01] when the audit append raises, nothing is proposed, approved or voided', async () => {
  const [key, id, another] = [await insertOperation(two.superuser), randomUUID(), randomUUID()];
  await two.propose({ key, id });
  const before = [await two.row(key), await two.decision(id)];
  await two.superuser.query(
    `create function app.break_audit() returns trigger language plpgsql as 'begin raise exception ''disk full''; end'`,
  );
  await two.superuser.query(
    'create trigger break_audit before insert on audit_entries execute function app.break_audit()',
  );
  try {
    await expect(two.approve({ key, id })).rejects.toThrow('disk full');
    await expect(two.void_({ key, id })).rejects.toThrow('disk full');
    await expect(two.propose({ key, id: another })).rejects.toThrow('disk full');
  } finally {
    await two.superuser.query('drop trigger break_audit on audit_entries; drop function app.break_audit()');
  }
  expect([await two.row(key), await two.decision(id)]).toEqual(before);
  expect(await two.decision(another)).toBeUndefined();
  expect(await two.approve({ key, id })).toMatchObject({ outcome: 'decided' });
});

describe('an open proposal', () => {
  test('is withdrawn by its person and declined by an approver, audited with the reason', async () => {
    const key = await insertOperation(two.superuser);
    for (const [user, because] of [
      [two.operator, 'withdrawn'],
      [two.approver, 'declined'],
    ] as const) {
      const id = randomUUID();
      await two.propose({ key, id });
      expect(await two.void_({ key, id, user })).toMatchObject({
        outcome: 'voided',
        voided_because: because,
      });
      expect(await two.void_({ key, id, user })).toMatchObject({ outcome: 'repeated' });
      expect(await two.approve({ key, id })).toMatchObject({ outcome: 'conflict', state: 'voided' });
    }
    expect(
      (await two.audit(key)).filter((e) => e.action === 'proposal_voided').map((e) => e.detail['because']),
    ).toEqual(['withdrawn', 'declined']);
  });

  test('is not voided by somebody who only looks', async () => {
    const viewer = await insertUser(two.superuser, ['viewer']);
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    await two.propose({ key, id });
    expect(await two.void_({ key, id, user: viewer })).toMatchObject({ refusal: 'not_granted' });
    expect(await actions(key)).toEqual(['proposal', 'proposal_void_refused']);
    expect(await two.approve({ key, id })).toMatchObject({ outcome: 'decided' });
  });

  test('ends with the decision that one person could take meanwhile', async () => {
    const [key, id] = [await insertOperation(two.superuser), randomUUID()];
    await two.propose({ key, id });
    await two.decide({ key, verdict: 'applied', reference: 'ticket_meanwhile' });
    expect(await two.decision(id)).toMatchObject({ state: 'voided', voided_because: 'decided' });
    expect(await two.approve({ key, id })).toMatchObject({ outcome: 'conflict', state: 'voided' });
  });
});

describe('[S26] a new key by two persons', () => {
  test('makes the one successor, with the request’s identity and nothing of what happened', async () => {
    const key = await insertOperation(two.superuser, {
      provider_job_id: 'job_1',
      job_ended_at: new Date(),
      approval_required: true,
      intent_event: 'mail_7',
      business_reference: 'INC-7',
      request_redacted: '{"subject":"x"}',
      delivery_state: 'queued',
    });
    expect(await two.together({ key, verdict: 'approved_new_key' })).toMatchObject({
      successor_key: `${key}!1`,
    });
    const [old, successor] = [await two.row(key), await two.row(`${key}!1`)];
    for (const same of [
      'tool_name',
      'tool_version',
      'request_fingerprint',
      'request_redacted',
      'intent_event',
      'business_reference',
      'approval_required',
    ])
      expect(successor[same], same).toEqual(old[same]);
    expect(successor).toMatchObject({
      status: 'pending',
      pending_reason: 'ready',
      attempt: 0,
      sent_attempt: null,
      first_sent_at: null,
      quiet_until: null,
      provider_job_id: null,
      job_ended_at: null,
      delivery_state: null,
      evidence: null,
      doubt_attempt: null,
      supersedes_key: key,
      version: '1',
      adopted: false,
    });
    expect(successor['case_at']).toBeInstanceOf(Date);
  });

  test('asks for its own approval where the contract does: the first key’s is not its', async () => {
    const key = await insertOperation(two.superuser, { approval_required: true });
    await two.superuser.query(
      `insert into approvals (tenant_id, environment, operation_key, request_fingerprint, tool_version, operation_version,
         state, requested_by, decided_by, decided_at, reason, valid_until)
       select tenant_id, environment, operation_key, request_fingerprint, tool_version, 1, 'approved', 'agent', $2, now(), 'ok', now() + interval '1 hour'
       from tool_operations where operation_key = $1`,
      [key, two.approver],
    );
    await two.together({ key, verdict: 'approved_new_key' });
    const { rows } = await two.superuser.query(
      `select (f).approval, app.allowed('acquire', f) as acquire, app.allowed('request_approval', f) as request
       from (select app.facts_of(o) as f from tool_operations o where operation_key = $1) x`,
      [`${key}!1`],
    );
    expect(rows[0]).toEqual({ approval: 'missing', acquire: false, request: true });
  });
});
