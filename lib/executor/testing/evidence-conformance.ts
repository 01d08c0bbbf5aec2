import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  asRead,
  claimed,
  doubted,
  fire,
  hear,
  read,
  versionOf,
  type Kind,
  type Subject,
} from './store-subject.ts';

/** What a store does with answers, and what of them settles. */
export function everyEvidenceBehaviour(subject: () => Subject): void {
  const store = () => subject().store;
  const take = async (kind: Kind, seconds = 20) =>
    await store().takeReconcilable([versionOf(kind)], 1_000, seconds);

  describe('evidence', () => {
    test('found stays: no other answer takes its place, whenever it was asked', async () => {
      const { id } = await doubted(store(), 'advisory');
      await hear(store(), id, { answer: 'found', authoritative: false, effect_reference: 'r1' });
      await subject().pass(60);
      const { record } = await hear(store(), id, { answer: 'absent', authoritative: false });
      expect(record.facts.evidence).toBe('found_advisory');
    });

    test('an authority’s finding takes the place of one that is not', async () => {
      const { id } = await doubted(store(), 'looked_up');
      await hear(store(), id, { answer: 'found', authoritative: false, effect_reference: 'r1' });
      const { record } = await hear(store(), id, { answer: 'found', effect_reference: 'r2' });
      expect(record.facts.evidence).toBe('found');
    });

    test('is ordered by when it was asked, not by when it arrived', async () => {
      const { id } = await doubted(store(), 'looked_up');
      const early = (await take('looked_up')).find((question) => question.operation_key === id.operation_key);
      const then = subject().passed();
      await subject().pass(60);
      await hear(store(), id, { answer: 'absent' });
      const asked_at = subject().instant(early?.asked_at ?? '', then);
      const { record } = await hear(store(), id, { answer: 'pending', asked_at });
      expect(record.facts.evidence).toBe('absent_conclusive');
    });

    test('absence is conclusive only when it was asked after quiet time and settle window, and waiting makes it none', async () => {
      const { id } = await doubted(store(), 'looked_up');
      expect((await hear(store(), id, { answer: 'absent' })).record.facts.evidence).toBe('absent');
      await subject().pass(60);
      expect((await read(store(), id)).facts.evidence).toBe('absent');
      expect((await hear(store(), id, { answer: 'absent' })).record.facts.evidence).toBe('absent_conclusive');
    });

    test('of no authority, or typed by a person, absence is never conclusive', async () => {
      const { id } = await doubted(store(), 'looked_up');
      await subject().pass(60);
      const lookup = await hear(store(), id, { answer: 'absent', authoritative: false });
      expect(lookup.record.facts.evidence).toBe('absent');
      const person = await hear(store(), id, { answer: 'absent', source: 'person' });
      expect(person.record.facts.evidence).toBe('absent');
    });

    test('a refusal is conclusive for the only attempt that was sent', async () => {
      const { id } = await doubted(store(), 'looked_up');
      expect((await hear(store(), id, { answer: 'refused' })).record.facts.evidence).toBe(
        'refused_conclusive',
      );
    });

    test('says whether anything else changed since the question', async () => {
      const { id } = await doubted(store(), 'looked_up');
      const before = await read(store(), id);
      expect((await hear(store(), id, { answer: 'pending', ...asRead(before) })).unchanged).toBe(true);
      expect((await hear(store(), id, { answer: 'pending', ...asRead(before) })).unchanged).toBe(false);
    });

    test('a later send takes its conclusiveness away', async () => {
      const { id } = await readyAgain();
      const { record } = await fire(store(), 'acquire', id, {
        lease_token: randomUUID(),
        lease_owner: 'w2',
        send: true,
      });
      expect(record?.facts.evidence).toBe('absent');
    });
  });

  describe('settling', () => {
    test('conclusive absence makes it ready, without doubt', async () => {
      const { id } = await readyAgain();
      expect(await read(store(), id)).toMatchObject({
        pending_reason: 'ready',
        doubt_attempt: null,
        attempt: 1,
      });
    });

    test('needs the version and attempt that were read', async () => {
      const { id } = await doubted(store(), 'looked_up');
      await subject().pass(60);
      const { record } = await hear(store(), id, { answer: 'absent' });
      for (const change of [
        { version: record.version - 1 },
        { attempt: record.attempt + 1 },
        { version: undefined },
      ])
        expect(
          (await fire(store(), 'settle_absent', id, { ...asRead(record), ...change } as object)).refusal,
        ).toBe('changed');
      expect((await fire(store(), 'settle_absent', id, asRead(record))).refusal).toBeNull();
    });

    test('[S46] absent, heard before a later attempt’s send, settles nothing', async () => {
      const { id } = await doubted(store(), 'keyed');
      const { record: first } = await hear(store(), id, { answer: 'pending' });
      const stalled = await read(store(), id);
      await fire(store(), 'resend', id, asRead(first));
      await subject().pass(1);
      await fire(store(), 'acquire', id, { lease_token: randomUUID(), lease_owner: 'w2', send: true });
      const { unchanged } = await hear(store(), id, { answer: 'absent', ...asRead(stalled) });
      expect(unchanged).toBe(false);
      expect((await fire(store(), 'settle_absent', id, asRead(stalled))).refusal).toBe('changed');
      expect(await read(store(), id)).toMatchObject({
        pending_reason: 'leased',
        attempt: 2,
        doubt_attempt: 1,
      });
    });

    test('found settles with the receipt that it names', async () => {
      const { id } = await doubted(store(), 'looked_up');
      const { record } = await hear(store(), id, {
        answer: 'found',
        effect_reference: 'r1',
        response: { id: 'r1' },
      });
      expect((await fire(store(), 'settle_found', id, asRead(record))).record).toMatchObject({
        status: 'applied',
        effect_reference: 'r1',
        response: { id: 'r1' },
        doubt_attempt: null,
      });
    });

    test('what nobody calls authoritative settles nothing', async () => {
      const { id } = await doubted(store(), 'advisory');
      const { record } = await hear(store(), id, {
        answer: 'found',
        authoritative: false,
        effect_reference: 'r1',
      });
      expect((await fire(store(), 'settle_found', id, asRead(record))).refusal).toBe('not_allowed');
      expect((await fire(store(), 'give_up', id, asRead(record))).record?.status).toBe('unknown');
    });

    test('an effect without return needs a person where its attempt never reported its end', async () => {
      const { id, token } = await claimed(store(), 'irreversible');
      await fire(store(), 'doubt', id, { lease_token: token, reason: 'no_answer', ended: false });
      await subject().pass(60);
      const { record } = await hear(store(), id, { answer: 'absent' });
      expect(record.facts.evidence).toBe('absent_conclusive');
      expect((await fire(store(), 'settle_absent', id, asRead(record))).refusal).toBe('not_allowed');
    });

    test('sends again in doubt only after a question, and while the downstream remembers', async () => {
      const { id } = await doubted(store(), 'keyed');
      const before = await read(store(), id);
      expect((await fire(store(), 'resend', id, asRead(before))).refusal).toBe('not_allowed');
      const { record } = await hear(store(), id, { answer: 'pending' });
      expect((await fire(store(), 'resend', id, asRead(record))).record).toMatchObject({
        pending_reason: 'ready',
        doubt_attempt: 1,
      });
      await subject().pass(560);
      expect((await read(store(), id)).facts).toMatchObject({ keyWindow: 'shut', recoverPassed: true });
      expect((await fire(store(), 'acquire', id, { lease_token: randomUUID() })).refusal).toBe('not_allowed');
      const taken = (await take('keyed')).find((question) => question.operation_key === id.operation_key);
      expect(taken).toMatchObject({ pending_reason: 'ready' });
    });

    test('gives up when the time to recover is over', async () => {
      const { id } = await doubted(store(), 'looked_up');
      const early = await read(store(), id);
      expect((await fire(store(), 'give_up', id, asRead(early))).refusal).toBe('not_allowed');
      await subject().pass(201);
      expect((await fire(store(), 'give_up', id, asRead(early))).record).toMatchObject({
        status: 'unknown',
        reason: 'recovery_exhausted',
      });
    });
  });

  describe('late evidence', () => {
    test('of a fenced worker settles at once what is in doubt', async () => {
      const { id } = await doubted(store(), 'blind');
      const { record } = await hear(store(), id, {
        source: 'late_answer',
        answer: 'found',
        effect_reference: 'r1',
      });
      expect(record).toMatchObject({ status: 'applied', effect_reference: 'r1' });
    });

    test('that it was refused settles nothing', async () => {
      const { id } = await doubted(store(), 'looked_up');
      const { record } = await hear(store(), id, {
        source: 'late_answer',
        answer: 'refused',
        authoritative: false,
      });
      expect(record).toMatchObject({ pending_reason: 'recovering', doubt_attempt: 1 });
    });

    test('waits while a live lease holds the operation', async () => {
      const { id } = await claimed(store(), 'keyed');
      const { record } = await hear(store(), id, {
        source: 'late_answer',
        answer: 'found',
        effect_reference: 'r1',
      });
      expect(record).toMatchObject({ pending_reason: 'leased' });
      expect(record.facts.evidence).toBe('found');
    });

    test('that contradicts a verdict makes it a case and changes no status', async () => {
      const { id, token } = await claimed(store(), 'keyed');
      await fire(store(), 'refuse', id, { lease_token: token, reason: 'refused' });
      const { record } = await hear(store(), id, {
        source: 'late_answer',
        answer: 'found',
        effect_reference: 'r1',
      });
      expect(record).toMatchObject({ status: 'failed_permanent' });
      expect(record.facts.contradicted).toBe(true);
    });
  });

  describe('a duty', () => {
    test('takes what is due once, and again when the pause is over', async () => {
      const { id } = await doubted(store(), 'advisory');
      const has = (questions: readonly { operation_key: string }[]) =>
        questions.some((question) => question.operation_key === id.operation_key);
      expect(has(await take('blind'))).toBe(false);
      expect(has(await take('advisory', 20))).toBe(true);
      expect(has(await take('advisory', 20))).toBe(false);
      await subject().pass(21);
      expect(has(await take('advisory', 20))).toBe(true);
    });

    test('asks a job for its end, and no absence is conclusive before it', async () => {
      const { id, token } = await claimed(store(), 'job');
      await fire(store(), 'accept', id, { lease_token: token, provider_job_id: 'job_1' });
      await subject().pass(60);
      const absent = await hear(store(), id, { answer: 'absent' });
      expect(absent.record).toMatchObject({ pending_reason: 'accepted', provider_job_id: 'job_1' });
      expect(absent.record.facts).toMatchObject({ jobOpen: true, evidence: 'absent' });
      const ended = await hear(store(), id, { source: 'job', answer: 'found', effect_reference: 'r1' });
      expect(ended.record.facts).toMatchObject({ jobOpen: false, evidence: 'found' });
      expect((await fire(store(), 'settle_found', id, asRead(ended.record))).record?.status).toBe('applied');
    });

    test('does not let the time to recover run out while a provider is silent', async () => {
      const connector = `silent ${randomUUID()}`;
      const ids = [];
      for (let n = 0; n < 4; n++) ids.push((await doubted(store(), 'looked_up', { connector })).id);
      for (const id of ids.slice(0, 3)) await hear(store(), id, { answer: 'failed', authoritative: false });
      await subject().pass(190);
      const waiting = ids[3];
      if (waiting === undefined) throw new Error('there is no fourth');
      const question = (await take('looked_up')).find((one) => one.operation_key === waiting.operation_key);
      expect(question?.outage).toBe(true);
      expect(await store().postpone([waiting])).toBe(1);
      await subject().pass(20);
      expect((await read(store(), waiting)).facts.recoverPassed).toBe(false);
      await hear(store(), waiting, { answer: 'pending' });
      expect(await store().postpone([waiting])).toBe(0);
    });
  });

  /** An attempt that is known not to have happened. */
  async function readyAgain() {
    const held = await doubted(store(), 'looked_up');
    await subject().pass(60);
    const { record } = await hear(store(), held.id, { answer: 'absent' });
    const settled = await fire(store(), 'settle_absent', held.id, asRead(record));
    expect(settled.refusal).toBeNull();
    return held;
  }
}
