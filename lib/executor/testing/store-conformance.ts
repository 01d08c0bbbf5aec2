import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { everyEvidenceBehaviour } from './evidence-conformance.ts';
import {
  asRead,
  claimed,
  claimRow,
  doubted,
  fire,
  hear,
  newId,
  read,
  registerKinds,
  versionOf,
  type Subject,
} from './store-subject.ts';

/** The behaviours that every store has, whatever it is made of; the SQL and the simulated one are held to the same. */
export function storeConformance(open: () => Promise<Subject>): void {
  let subject: Subject;
  beforeAll(async () => {
    subject = await open();
    await registerKinds(subject.store);
  });
  const store = () => subject.store;

  describe('claim', () => {
    test('of eight at once one is claimed, and the others load it', async () => {
      const id = newId();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => store().claim([claimRow('keyed', id)])),
      );
      expect(answers.filter(([answer]) => answer?.claimed)).toHaveLength(1);
      expect(new Set(answers.map(([answer]) => answer?.record?.lease_token)).size).toBe(1);
    });

    test('a lost reply is read by its token, and asked again it is still claimed', async () => {
      const row = claimRow('keyed', newId());
      await store().claim([row]);
      expect((await read(store(), row)).lease_token).toBe(row.lease_token);
      expect((await store().claim([row]))[0]?.claimed).toBe(true);
    });

    test('sends in the same commit, and is in doubt from then on', async () => {
      const { id } = await claimed(store(), 'keyed');
      const record = await read(store(), id);
      expect(record).toMatchObject({
        status: 'pending',
        pending_reason: 'leased',
        attempt: 1,
        sent_attempt: 1,
        version: 1,
      });
      expect(record.facts).toMatchObject({ lease: 'live', sent: true, doubt: 'own', keyWindow: 'open' });
    });

    test('[S45] of one request under two keys at once, without an intent event, one is claimed', async () => {
      const request_fingerprint = randomUUID();
      const answers = await Promise.all(
        [newId(), newId()].map((id) => store().claim([claimRow('sibling', id, { request_fingerprint })])),
      );
      expect(answers.map(([answer]) => answer?.refusal).toSorted()).toEqual([null, 'sibling'].toSorted());
      expect(answers.filter(([answer]) => answer?.claimed)).toHaveLength(1);
    });

    test('a new intent event lets a sibling pass, once', async () => {
      const request_fingerprint = randomUUID();
      const intent_event = randomUUID();
      await claimed(store(), 'sibling', { request_fingerprint });
      await claimed(store(), 'sibling', { request_fingerprint, intent_event });
      const [again] = await store().claim([
        claimRow('sibling', newId(), { request_fingerprint, intent_event }),
      ]);
      expect(again?.refusal).toBe('sibling');
    });

    test('into a request for approval holds no lease and cannot be acquired', async () => {
      const id = newId();
      const [answer] = await store().claim([
        claimRow('approved', id, { into: 'awaiting_approval', approval_required: true, send: false }),
      ]);
      expect(answer?.record).toMatchObject({
        pending_reason: 'awaiting_approval',
        attempt: 0,
        lease_token: null,
      });
      expect(answer?.record?.facts).toMatchObject({ approval: 'missing', lease: 'none', doubt: 'none' });
      expect((await fire(store(), 'acquire', id, { lease_token: randomUUID() })).refusal).toBe('not_allowed');
    });

    test('answers stand in the order of the questions', async () => {
      const rows = [newId(), newId(), newId()].map((id) => claimRow('keyed', id)).reverse();
      const answers = await store().claim(rows);
      expect(answers.map(({ record }) => record?.operation_key)).toEqual(
        rows.map((row) => row.operation_key),
      );
    });
  });

  describe('a registered contract', () => {
    test('answers the digest that is stored, and its document is read back', async () => {
      const [body] = await store().readContracts([versionOf('keyed')]);
      expect(body).toMatchObject({ name: 'tested.keyed' });
      expect(await store().readContracts([{ name: 'tested.never', version: '1' }])).toEqual([null]);
    });
  });

  describe('a worker’s write', () => {
    test.each(['accept', 'apply', 'refuse', 'release', 'doubt', 'send'] as const)(
      '%s of another token is fenced and changes nothing',
      async (event) => {
        const { id } = await claimed(store(), 'job');
        const before = await read(store(), id);
        const { refusal } = await fire(store(), event, id, {
          lease_token: randomUUID(),
          reason: 'no_answer',
          provider_job_id: 'job',
          effect_reference: 'receipt',
        });
        expect(refusal).toBe('fenced');
        expect({ ...(await read(store(), id)), wait_ms: 0 }).toEqual({ ...before, wait_ms: 0 });
      },
    );

    test('apply keeps receipt and response, and the token is gone', async () => {
      const { id, token } = await claimed(store(), 'keyed');
      const applied = await fire(store(), 'apply', id, {
        lease_token: token,
        effect_reference: 'receipt',
        response: { id: 'receipt' },
      });
      expect(applied.record).toMatchObject({
        status: 'applied',
        pending_reason: null,
        effect_reference: 'receipt',
        response: { id: 'receipt' },
        has_response: true,
        doubt_attempt: null,
        lease_token: null,
        version: 2,
      });
      expect((await fire(store(), 'apply', id, { lease_token: token })).refusal).toBe('fenced');
    });

    test('JSON null is a response, and none is none', async () => {
      for (const [change, has] of [
        [{ response: null }, true],
        [{}, false],
      ] as const) {
        const { id, token } = await claimed(store(), 'keyed');
        const { record } = await fire(store(), 'apply', id, {
          lease_token: token,
          effect_reference: 'r',
          ...change,
        });
        expect(record).toMatchObject({ response: null, has_response: has });
      }
    });

    test('refuse of the only attempt is failed_permanent', async () => {
      const { id, token } = await claimed(store(), 'keyed');
      const { record } = await fire(store(), 'refuse', id, { lease_token: token, reason: 'refused' });
      expect(record).toMatchObject({ status: 'failed_permanent', reason: 'refused', doubt_attempt: null });
    });

    test('release is ready when it is due; the next attempt has a new token, and the old one is fenced', async () => {
      const { id, token } = await claimed(store(), 'keyed');
      await fire(store(), 'release', id, { lease_token: token, retry_after_ms: 10_000 });
      const next = randomUUID();
      const acquire = () =>
        fire(store(), 'acquire', id, { lease_token: next, lease_owner: 'w2', send: true });
      expect((await acquire()).refusal).toBe('not_allowed');
      await subject.pass(11);
      expect((await acquire()).record).toMatchObject({ attempt: 2, sent_attempt: 2, lease_token: next });
      expect((await fire(store(), 'apply', id, { lease_token: token })).refusal).toBe('fenced');
    });

    test('doubt recovers where something can be found out, and is unknown where nothing can', async () => {
      const { id } = await doubted(store(), 'looked_up');
      expect(await read(store(), id)).toMatchObject({ pending_reason: 'recovering', doubt_attempt: 1 });
      const blind = await doubted(store(), 'blind');
      expect(await read(store(), blind.id)).toMatchObject({ status: 'unknown', reason: 'no_answer' });
    });

    test('a refusal after an earlier doubt is not allowed: doubt is sticky', async () => {
      const { id, token } = await againInDoubt('keyed');
      expect((await fire(store(), 'refuse', id, { lease_token: token, reason: 'refused' })).refusal).toBe(
        'not_allowed',
      );
      expect((await fire(store(), 'release', id, { lease_token: token })).refusal).toBe('not_allowed');
      const { record } = await fire(store(), 'doubt', id, { lease_token: token, reason: 'no_answer' });
      expect(record).toMatchObject({ pending_reason: 'recovering', doubt_attempt: 1, attempt: 2 });
    });

    test('a commit of its own sends once, in the lease that holds it', async () => {
      const { id, token } = await claimed(store(), 'keyed', { send: false });
      expect((await read(store(), id)).facts).toMatchObject({ sent: false, doubt: 'none' });
      const send = () =>
        fire(store(), 'send', id, { lease_token: token, downstream_request_id: randomUUID() });
      expect((await send()).record).toMatchObject({ sent_attempt: 1, doubt_attempt: 1 });
      expect((await send()).refusal).toBe('not_allowed');
    });
  });

  describe('time', () => {
    test('a lease expires by the store’s clock alone, and never into another send', async () => {
      const { id } = await claimed(store(), 'keyed');
      expect((await fire(store(), 'expire', id)).refusal).toBe('not_allowed');
      expect(await store().expiredLeases(1_000)).not.toContainEqual(id);
      await subject.pass(21);
      expect(await store().expiredLeases(1_000)).toContainEqual(id);
      expect((await fire(store(), 'expire', id)).record).toMatchObject({
        pending_reason: 'recovering',
        doubt_attempt: 1,
        reason: 'lease_expired',
      });
      expect(await store().expiredLeases(1_000)).not.toContainEqual(id);
    });

    test('a lease that expired unsent is ready again, without doubt', async () => {
      const { id } = await claimed(store(), 'keyed', { send: false });
      await subject.pass(21);
      expect((await fire(store(), 'expire', id)).record).toMatchObject({
        pending_reason: 'ready',
        doubt_attempt: null,
      });
    });

    test('a heartbeat extends a live lease, never past quiet time, and revives none', async () => {
      const { id, token } = await claimed(store(), 'keyed');
      const beat = async (lease_token = token) => (await store().heartbeat([{ ...id, lease_token }]))[0];
      await subject.pass(15);
      expect(await beat(randomUUID())).toBe(false);
      expect(await beat()).toBe(true);
      expect((await read(store(), id)).wait_ms).toBeGreaterThan(10_000);
      expect((await read(store(), id)).wait_ms).toBeLessThanOrEqual(15_000);
      await subject.pass(16);
      expect(await beat()).toBe(false);
      expect((await read(store(), id)).facts.lease).toBe('expired');
    });

    test('before the send a heartbeat never goes past one call budget after the acquisition', async () => {
      const { id, token } = await claimed(store(), 'keyed', { send: false });
      await subject.pass(15);
      expect(await store().heartbeat([{ ...id, lease_token: token }])).toEqual([true]);
      expect((await read(store(), id)).wait_ms).toBeLessThanOrEqual(15_000);
    });

    test('what was never sent is abandoned after its time, and nothing in doubt is', async () => {
      const { id, token } = await claimed(store(), 'keyed');
      await fire(store(), 'release', id, { lease_token: token });
      const inDoubt = await doubted(store(), 'keyed');
      expect((await fire(store(), 'abandon', id)).refusal).toBe('not_allowed');
      await subject.pass(5_001);
      expect(await store().abandonable(1_000)).toContainEqual(id);
      expect(await store().abandonable(1_000)).not.toContainEqual(inDoubt.id);
      expect((await fire(store(), 'abandon', id)).record).toMatchObject({
        status: 'failed_permanent',
        reason: 'never_sent',
      });
    });

    test('past its retention the result goes, and key, status and receipt stay', async () => {
      const { id, token } = await claimed(store(), 'keyed');
      await fire(store(), 'apply', id, {
        lease_token: token,
        effect_reference: 'receipt',
        response: { id: 'receipt' },
      });
      expect((await fire(store(), 'compact', id)).refusal).toBe('not_allowed');
      await subject.pass(10_001);
      expect(await store().pastRetention(1_000)).toContainEqual(id);
      expect((await fire(store(), 'compact', id)).record).toMatchObject({
        status: 'applied',
        effect_reference: 'receipt',
        has_response: false,
        tombstoned: true,
        version: 2,
      });
      expect(await store().pastRetention(1_000)).not.toContainEqual(id);
      expect((await store().claim([claimRow('keyed', id)]))[0]?.claimed).toBe(false);
    });
  });

  test('an operation that is not there is missing, and an event that is not the executor’s is refused', async () => {
    expect(await fire(store(), 'apply', newId())).toEqual({ refusal: 'missing', record: null });
    await expect(fire(store(), 'decide_applied', newId())).rejects.toThrow();
  });

  everyEvidenceBehaviour(() => subject);

  /** A second attempt while the first is in doubt. */
  async function againInDoubt(kind: 'keyed' | 'keyed_blind') {
    const { id } = await doubted(store(), kind);
    await subject.pass(1);
    const { record } = await hear(store(), id, { answer: 'pending' });
    await fire(store(), 'resend', id, asRead(record));
    const token = randomUUID();
    const acquired = await fire(store(), 'acquire', id, {
      lease_token: token,
      lease_owner: 'w2',
      send: true,
    });
    expect(acquired.record).toMatchObject({ attempt: 2, doubt_attempt: 1 });
    return { id, token };
  }
}
