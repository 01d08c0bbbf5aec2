import { randomInt, randomUUID } from 'node:crypto';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertContract, insertEvidence, insertOperation, insertUser } from './testing/factories.ts';
import { testDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
let superuser: Client;
let console_: Pool;
let operator: string;
let viewer: string;

beforeAll(async () => {
  database = await testDatabase();
  superuser = new Client({ connectionString: database.urls.superuser });
  await superuser.connect();
  console_ = new Pool({ connectionString: database.urls.console, max: 32 });
  await insertContract(superuser);
  operator = await insertUser(superuser, ['operator'], { name: 'Ines Okafor' });
  viewer = await insertUser(superuser, ['viewer'], { name: 'Otto Lindqvist' });
});
afterAll(async () => {
  await console_.end();
  await superuser.end();
  await database.drop();
});

interface Decision {
  user?: string;
  key: string;
  version?: number;
  id?: string;
  verdict: string;
  reason?: string;
  reference?: string | null;
  tenant?: string;
  environment?: string;
  evidence?: string[];
}

async function decide(d: Decision): Promise<Record<string, unknown>> {
  const { rows } = await console_.query<{ answer: Record<string, unknown> }>(
    'select app.decide($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as answer',
    [
      d.user ?? operator,
      d.tenant ?? 'acme',
      d.environment ?? 'production',
      d.key,
      d.version ?? 1,
      d.id ?? randomUUID(),
      d.verdict,
      d.reason ?? 'Deskline shows it.',
      d.reference ?? null,
      d.evidence ?? [],
    ],
  );
  return rows[0]?.answer ?? {};
}

const row = async (key: string) =>
  (await superuser.query('select * from tool_operations where operation_key = $1', [key])).rows[0] as Record<
    string,
    unknown
  >;
const count = async (sql: string, ...values: unknown[]) =>
  Number((await superuser.query<{ n: string }>(`select count(*) as n from ${sql}`, values)).rows[0]?.n);

describe('decide', () => {
  test('applied records the receipt, the decision and one audit entry, and closes the case', async () => {
    const key = await insertOperation(superuser);
    const id = randomUUID();
    const answer = await decide({ key, id, verdict: 'applied', reference: 'ticket_1042' });
    expect(answer).toMatchObject({ outcome: 'decided', status: 'applied', version: 2 });
    expect(await row(key)).toMatchObject({
      status: 'applied',
      effect_reference: 'ticket_1042',
      resolved_by: `decision:${id}`,
      case_at: null,
      doubt_attempt: null,
    });
    const { rows } = await superuser.query<{ body: Buffer }>(
      'select body from audit_entries where operation_key = $1',
      [key],
    );
    expect(JSON.parse(rows[0]?.body.toString('utf8') ?? '')).toMatchObject({
      action: 'decision',
      actor: `user:${operator}`,
      detail: { verdict: 'applied', effect_reference: 'ticket_1042', decision_id: id, person: 'Ines Okafor' },
    });
  });

  test('[S26] applied without a receipt is refused, audited, and changes nothing', async () => {
    const key = await insertOperation(superuser);
    for (const reference of [null, '', '  '])
      expect(await decide({ key, verdict: 'applied', reference })).toMatchObject({
        outcome: 'refused',
        refusal: 'receipt_required',
      });
    expect(await row(key)).toMatchObject({ status: 'unknown', version: '1' });
    expect(await count(`audit_entries where operation_key = $1 and action = 'decision_refused'`, key)).toBe(
      3,
    );
  });

  test('[S26] approved-new-key twice at once makes one successor', async () => {
    const key = await insertOperation(superuser);
    await insertEvidence(superuser, key, { answer: 'absent' });
    const answers = await Promise.all([1, 2].map(() => decide({ key, verdict: 'approved_new_key' })));
    expect(answers.map((a) => a['outcome']).toSorted()).toEqual(['conflict', 'decided']);
    expect(await row(key)).toMatchObject({ status: 'approved_new_key', successor_key: `${key}!1` });
    expect(await row(`${key}!1`)).toMatchObject({
      status: 'pending',
      pending_reason: 'ready',
      attempt: 0,
      doubt_attempt: null,
      supersedes_key: key,
      request_fingerprint: (await row(key))['request_fingerprint'],
      evidence: null,
    });
    expect(await count('tool_operations where supersedes_key = $1', key)).toBe(1);
  });

  test.for(['failed_permanent', 'approved_new_key'])(
    '%s needs conclusive absence or no doubt; until then a second person',
    async (verdict) => {
      const doubtful = await insertOperation(superuser);
      expect(await decide({ key: doubtful, verdict })).toMatchObject({
        outcome: 'refused',
        refusal: 'second_person_required',
      });
      await insertEvidence(superuser, doubtful, { answer: 'absent', authoritative: false });
      expect(await decide({ key: doubtful, verdict })).toMatchObject({ refusal: 'second_person_required' });
      await insertEvidence(superuser, doubtful, { answer: 'absent' });
      expect(await decide({ key: doubtful, verdict })).toMatchObject({ outcome: 'decided', status: verdict });

      const ready = await insertOperation(superuser, {
        status: 'pending',
        pending_reason: 'ready',
        reason: null,
        attempt: 3,
        sent_attempt: 3,
        doubt_attempt: null,
        next_attempt_at: new Date(),
      });
      expect(await decide({ key: ready, verdict })).toMatchObject({ outcome: 'decided' });
    },
  );

  test('absence that was asked inside quiet time + settle window is not conclusive', async () => {
    const key = await insertOperation(superuser, { quiet_until: new Date() });
    await insertEvidence(superuser, key, { answer: 'absent' });
    expect(await decide({ key, verdict: 'failed_permanent' })).toMatchObject({
      refusal: 'second_person_required',
    });
  });

  test('nobody says that it did not happen against found evidence', async () => {
    const key = await insertOperation(superuser);
    await insertEvidence(superuser, key, {
      answer: 'found',
      effect_reference: 'ticket_7',
      authoritative: false,
    });
    for (const verdict of ['failed_permanent', 'approved_new_key'])
      expect(await decide({ key, verdict })).toMatchObject({ outcome: 'refused', refusal: 'effect_found' });
    expect(await decide({ key, verdict: 'applied', reference: 'ticket_7' })).toMatchObject({
      outcome: 'decided',
    });
  });

  test('a receipt that another operation has needs a second person', async () => {
    const [first, second] = [await insertOperation(superuser), await insertOperation(superuser)];
    await decide({ key: first, verdict: 'applied', reference: 'ticket_shared' });
    expect(await decide({ key: second, verdict: 'applied', reference: 'ticket_shared' })).toMatchObject({
      refusal: 'second_person_required',
    });
  });

  test('nor do two verdicts at once give one receipt to two operations', async () => {
    for (let n = 0; n < 10; n += 1) {
      const pair = [await insertOperation(superuser), await insertOperation(superuser)];
      const reference = `ticket_at_once_${n}`;
      const answers = await Promise.all(pair.map((key) => decide({ key, verdict: 'applied', reference })));
      expect(answers.map((a) => a['outcome']).toSorted()).toEqual(['decided', 'refused']);
    }
  });

  test('another receipt than the one that was found stays a case: the evidence contradicts it', async () => {
    const key = await insertOperation(superuser);
    await insertEvidence(superuser, key, { answer: 'found', effect_reference: 'ticket_found' });
    await decide({ key, verdict: 'applied', reference: 'ticket_typed' });
    const after = await row(key);
    expect(after).toMatchObject({ status: 'applied', effect_reference: 'ticket_typed' });
    expect(after['contradicted_at']).toBeInstanceOf(Date);
    expect(after['case_at']).toBeInstanceOf(Date);
  });

  test('a receipt may be as long as the console lets it', async () => {
    const key = await insertOperation(superuser);
    const reference = Array.from({ length: 1024 }, () => String.fromCodePoint(0x4e00 + randomInt(20_000)));
    expect(await decide({ key, verdict: 'applied', reference: reference.join('') })).toMatchObject({
      outcome: 'decided',
    });
  });

  test('only evidence of this operation can be named', async () => {
    const [key, other] = [await insertOperation(superuser), await insertOperation(superuser)];
    const [own, foreign] = [
      await insertEvidence(superuser, key, { answer: 'found', effect_reference: 'ticket_named' }),
      await insertEvidence(superuser, other, { answer: 'found', effect_reference: 'ticket_else' }),
    ];
    const decision = { key, verdict: 'applied', reference: 'ticket_named' };
    for (const named of [foreign, randomUUID()])
      expect(await decide({ ...decision, evidence: [own, named] })).toEqual({ outcome: 'not_its_evidence' });
    expect(await decide({ ...decision, evidence: [own] })).toMatchObject({ outcome: 'decided' });
  });

  test('a successor takes the next key that no adopted row has', async () => {
    const key = await insertOperation(superuser);
    await insertEvidence(superuser, key, { answer: 'absent' });
    await insertOperation(superuser, { operation_key: `${key}!1` });
    expect(await decide({ key, verdict: 'approved_new_key' })).toMatchObject({ successor_key: `${key}!2` });
  });

  test('a live lease is its worker’s: no verdict', async () => {
    const key = await insertOperation(superuser, {
      status: 'pending',
      pending_reason: 'leased',
      reason: null,
      lease_owner: 'w-1',
      lease_token: randomUUID(),
      lease_until: new Date(Date.now() + 60_000),
    });
    expect(await decide({ key, verdict: 'applied', reference: 'x' })).toMatchObject({
      refusal: 'being_attempted',
    });
  });

  test('[S25] a stale version is a conflict that says who changed what, and is audited', async () => {
    const key = await insertOperation(superuser);
    await decide({ key, verdict: 'applied', reference: 'ticket_s25' });
    const stale = await decide({ key, verdict: 'applied', reference: 'ticket_other' });
    expect(stale).toMatchObject({
      outcome: 'conflict',
      version: 2,
      status: 'applied',
      change: 'decide_applied',
      changed_by: 'Ines Okafor',
    });
    expect(stale['changed_at']).toBeTruthy();
    expect(await row(key)).toMatchObject({ effect_reference: 'ticket_s25' });
  });

  test('[S25] the same decision twice is the same result and one entry', async () => {
    const key = await insertOperation(superuser);
    const decision = { key, id: randomUUID(), verdict: 'applied', reference: 'ticket_twice' };
    const answers = await Promise.all([1, 2, 3].map(() => decide(decision)));
    expect(answers.map((a) => a['outcome']).toSorted()).toEqual(['decided', 'repeated', 'repeated']);
    expect(new Set(answers.map((a) => a['audit_sequence'])).size).toBe(1);
    expect(await count(`audit_entries where operation_key = $1`, key)).toBe(1);
    expect(await decide({ ...decision, reference: 'ticket_else' })).toMatchObject({
      outcome: 'decision_id_reused',
    });
  });

  test('a decision id is bound to its operation and its person', async () => {
    const [one, two] = [await insertOperation(superuser), await insertOperation(superuser)];
    const id = randomUUID();
    await decide({ key: one, id, verdict: 'applied', reference: 'ticket_bound' });
    expect(await decide({ key: two, id, verdict: 'applied', reference: 'ticket_bound' })).toMatchObject({
      outcome: 'decision_id_reused',
    });
    const other = await insertUser(superuser, ['operator']);
    expect(
      await decide({ key: one, id, user: other, verdict: 'applied', reference: 'ticket_bound' }),
    ).toMatchObject({ outcome: 'decision_id_reused' });
  });

  test('also where both decisions are sent at once', async () => {
    for (let n = 0; n < 10; n += 1) {
      const pair = [await insertOperation(superuser), await insertOperation(superuser)];
      const id = randomUUID();
      const answers = await Promise.all(
        pair.map((key) => decide({ key, id, verdict: 'applied', reference: `ticket of ${key}` })),
      );
      expect(answers.map((a) => a['outcome']).toSorted()).toEqual(['decided', 'decision_id_reused']);
    }
  });

  test('without the role it is refused; without any grant the operation does not exist', async () => {
    const key = await insertOperation(superuser);
    expect(await decide({ key, user: viewer, verdict: 'applied', reference: 'x' })).toMatchObject({
      outcome: 'refused',
      refusal: 'not_granted',
    });
    const stranger = await insertUser(superuser, ['operator'], { tenant_id: 'globex' });
    expect(await decide({ key, user: stranger, verdict: 'applied', reference: 'x' })).toEqual({
      outcome: 'not_found',
    });
    expect(await decide({ key, environment: 'staging', verdict: 'applied', reference: 'x' })).toEqual({
      outcome: 'not_found',
    });
    expect(await decide({ key: 'acme:production:no:such', verdict: 'applied', reference: 'x' })).toEqual({
      outcome: 'not_found',
    });
    expect(await row(key)).toMatchObject({ version: '1' });
  });

  test('a grant that was taken away, or a disabled person, decides nothing', async () => {
    const key = await insertOperation(superuser);
    const person = await insertUser(superuser, ['operator']);
    await superuser.query('update users set disabled_at = now() where user_id = $1', [person]);
    expect(await decide({ key, user: person, verdict: 'applied', reference: 'x' })).toEqual({
      outcome: 'not_found',
    });
  });
});
