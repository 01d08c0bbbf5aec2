import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertEvidence, insertOperation } from '../../db/testing/factories.ts';
import type { Caller } from '../auth/caller.ts';
import { nextCallAfter, successorKeyOf } from '../client/next-call.ts';
import type { DecideInput } from '../shapes/decision.ts';
import { toFacts } from '../shapes/facts.ts';
import { decide } from './decide.ts';
import { listAudit } from './list-audit.ts';
import { readOperation } from './read-operation.ts';
import { openConsoleBench, SCOPE, type ConsoleBench } from './testing/console-bench.ts';

let bench: ConsoleBench;
let operator: Caller;
beforeAll(async () => {
  bench = await openConsoleBench();
  operator = await bench.person(['operator']);
});
afterAll(() => bench.close());

const verdict = (part: Partial<DecideInput> = {}): DecideInput => ({
  decision_id: randomUUID(),
  version: 1,
  verdict: 'applied',
  reason: 'Deskline shows it.',
  effect_reference: 'ticket_1042',
  evidence_ids: [],
  ...part,
});

describe('a verdict from the console', () => {
  test('is recorded with its audit entry, and sending it twice records it once', async () => {
    const key = await insertOperation(bench.superuser);
    const evidence_ids = [
      await insertEvidence(bench.superuser, key, { answer: 'found', effect_reference: 'ticket_1042' }),
    ];
    const input = verdict({ evidence_ids });
    expect(await decide(operator, SCOPE, key, input)).toMatchObject({
      outcome: 'decided',
      status: 'applied',
      version: 2,
    });
    expect(await decide(operator, SCOPE, key, input)).toMatchObject({
      outcome: 'repeated',
      status: 'applied',
      version: 2,
    });
    const { entries, head } = await listAudit(operator, SCOPE, { before: null });
    expect(entries).toHaveLength(1);
    expect(head).toMatchObject({ sequence: 1, hash: entries[0]?.hash });
    expect(entries[0]).toMatchObject({
      action: 'decision',
      actor_name: 'Ines Okafor',
      operation_key: key,
      body: {
        detail: {
          verdict: 'applied',
          reason: 'Deskline shows it.',
          effect_reference: 'ticket_1042',
          evidence_ids,
        },
      },
    });
    expect((await readOperation(operator, SCOPE, { operationKey: key })).decisions).toMatchObject([
      { decided_by_name: 'Ines Okafor', verdict: 'applied', expected_version: 1, recorded_version: 2 },
    ]);
  });

  test('[S25] on a version that is over is a conflict that says who changed what and when', async () => {
    const key = await insertOperation(bench.superuser);
    const marek = await bench.person(['operator'], 'Marek Brandt');
    await decide(marek, SCOPE, key, verdict({ effect_reference: 'ticket_2' }));
    await expect(decide(operator, SCOPE, key, verdict())).rejects.toMatchObject({
      code: 'conflict',
      details: {
        conflict: {
          version: 2,
          status: 'applied',
          change: 'decide_applied',
          changed_by: 'Marek Brandt',
          changed_at: expect.stringMatching(/^\d{4}-/) as string,
        },
      },
    });
  });

  test('[S26] applied without a receipt is the caller’s to correct', async () => {
    const key = await insertOperation(bench.superuser);
    await expect(decide(operator, SCOPE, key, verdict({ effect_reference: null }))).rejects.toMatchObject({
      code: 'unprocessable',
      details: { refusal: 'receipt_required' },
    });
  });

  test('[B106] a refusal carries its own reason, in the state of the case', async () => {
    const doubtful = await insertOperation(bench.superuser);
    const input = verdict({ verdict: 'failed_permanent', effect_reference: null });
    await expect(decide(operator, SCOPE, doubtful, input)).rejects.toMatchObject({
      code: 'conflict',
      details: { refusal: 'second_person_required' },
    });
    await insertEvidence(bench.superuser, doubtful, { answer: 'found', effect_reference: 'ticket_9' });
    await expect(
      decide(operator, SCOPE, doubtful, { ...input, decision_id: randomUUID() }),
    ).rejects.toMatchObject({
      details: { refusal: 'effect_found' },
    });
  });

  test('[B124] is refused to whoever only looks, and written down', async () => {
    const viewer = await bench.person(['viewer'], 'Otto Lindqvist');
    const key = await insertOperation(bench.superuser);
    await expect(decide(viewer, SCOPE, key, verdict())).rejects.toMatchObject({
      code: 'forbidden',
      details: { refusal: 'not_granted' },
    });
    expect((await readOperation(viewer, SCOPE, { operationKey: key })).record.status).toBe('unknown');
  });

  test('[B152] a grant that is gone does not decide, whatever the session still says', async () => {
    const demoted = await bench.person(['operator'], 'Somebody');
    const key = await insertOperation(bench.superuser);
    await bench.superuser.query('delete from grants where user_id = $1', [demoted.user.id]);
    await expect(decide(demoted, SCOPE, key, verdict())).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a new key makes the successor that the screen announced', async () => {
    const key = await insertOperation(bench.superuser);
    await insertEvidence(bench.superuser, key, { answer: 'absent' });
    const before = await readOperation(operator, SCOPE, { operationKey: key });
    const announced = nextCallAfter('approved_new_key', toFacts(before.facts), before.record, {
      receipt: null,
      now: 0,
    });
    const answer = await decide(
      operator,
      SCOPE,
      key,
      verdict({ verdict: 'approved_new_key', effect_reference: null }),
    );
    expect(answer.successor_key).toBe(successorKeyOf(key));
    expect(announced).toMatchObject({ outcome: { successor_key: answer.successor_key } });
    const next = await decide(
      operator,
      SCOPE,
      answer.successor_key ?? '',
      verdict({ verdict: 'approved_new_key', effect_reference: null }),
    );
    expect(next.successor_key).toBe(successorKeyOf(answer.successor_key ?? ''));
  });
});

describe('the audit list', () => {
  test('is read page by page, the last entry first', async () => {
    const key = await insertOperation(bench.superuser);
    for (let n = 0; n < 60; n += 1)
      await decide(operator, SCOPE, key, verdict({ effect_reference: null })).catch(() => {});
    const seen: number[] = [];
    let before: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listAudit>> = await listAudit(operator, SCOPE, { before });
      seen.push(...page.entries.map((entry) => entry.sequence));
      before = page.next;
    } while (before !== null);
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, n) => seen.length - n));
    expect(seen.length).toBeGreaterThan(60);
  });
});
