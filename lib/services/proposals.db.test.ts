import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertEvidence, insertOperation } from '../../db/testing/factories.ts';
import type { Caller } from '../auth/caller.ts';
import type { ProposeInput } from '../shapes/proposal.ts';
import { approveProposal } from './approve-proposal.ts';
import { askLookup } from './ask-lookup.ts';
import { proposeDecision } from './propose-decision.ts';
import { readOperation } from './read-operation.ts';
import { openConsoleBench, SCOPE, type ConsoleBench } from './testing/console-bench.ts';
import { voidProposal } from './void-proposal.ts';

let bench: ConsoleBench;
let operator: Caller;
let approver: Caller;
beforeAll(async () => {
  bench = await openConsoleBench();
  operator = await bench.person(['operator']);
  approver = await bench.person(['approver'], 'Marek Brandt');
});
afterAll(() => bench.close());

const proposal = (part: Partial<ProposeInput> = {}): ProposeInput => ({
  decision_id: randomUUID(),
  version: 1,
  verdict: 'failed_permanent',
  reason: 'Deskline has nothing.',
  effect_reference: null,
  evidence_ids: [],
  ...part,
});
const yes = { version: 1, reason: 'I looked too.' };
const decisionsOf = async (key: string) =>
  (await readOperation(operator, SCOPE, { operationKey: key })).decisions;

describe('a verdict by two persons', () => {
  test('is proposed, seen as waiting, approved, and shown with both names', async () => {
    const key = await insertOperation(bench.superuser);
    const input = proposal();
    expect(await proposeDecision(operator, SCOPE, key, input)).toMatchObject({
      outcome: 'proposed',
      version: 1,
    });
    expect(await proposeDecision(operator, SCOPE, key, input)).toMatchObject({
      outcome: 'repeated',
      state: 'proposed',
    });
    expect(await decisionsOf(key)).toMatchObject([{ state: 'proposed', approved_by_name: null }]);
    expect(await approveProposal(approver, SCOPE, key, input.decision_id, yes)).toMatchObject({
      outcome: 'decided',
      status: 'failed_permanent',
      version: 2,
    });
    expect(await decisionsOf(key)).toMatchObject([
      {
        state: 'approved',
        decided_by_name: 'Ines Okafor',
        approved_by_name: 'Marek Brandt',
        approval_reason: 'I looked too.',
        recorded_version: 2,
      },
    ]);
  });

  test('[S20] one’s own proposal, or with a role that came later, is forbidden', async () => {
    const both = await bench.person(['operator', 'approver']);
    const key = await insertOperation(bench.superuser);
    const input = proposal();
    await proposeDecision(both, SCOPE, key, input);
    await expect(approveProposal(both, SCOPE, key, input.decision_id, yes)).rejects.toMatchObject({
      code: 'forbidden',
      details: { refusal: 'own_proposal' },
    });
    const late = await bench.person(['approver']);
    await expect(approveProposal(late, SCOPE, key, input.decision_id, yes)).rejects.toMatchObject({
      code: 'forbidden',
      details: { refusal: 'grant_too_new' },
    });
    await expect(approveProposal(operator, SCOPE, key, input.decision_id, yes)).rejects.toMatchObject({
      code: 'forbidden',
      details: { refusal: 'not_granted' },
    });
    expect(await bench.entries('acme', 'proposal_approval_refused')).toBe(3);
  });

  test('[S25] of a version that is over is a conflict that says who changed what, before anybody approved it', async () => {
    const key = await insertOperation(bench.superuser);
    const [stale, fresh] = [proposal(), proposal({ version: 2 })];
    await proposeDecision(operator, SCOPE, key, stale);
    await bench.superuser.query('update tool_operations set version = 2 where operation_key = $1', [key]);
    expect(await decisionsOf(key)).toMatchObject([{ state: 'voided', voided_because: 'version_changed' }]);
    await expect(proposeDecision(operator, SCOPE, key, proposal())).rejects.toMatchObject({
      code: 'conflict',
      details: { conflict: { version: 2 } },
    });
    await proposeDecision(operator, SCOPE, key, fresh);
    await expect(approveProposal(approver, SCOPE, key, stale.decision_id, yes)).rejects.toMatchObject({
      code: 'conflict',
      details: { conflict: { state: 'voided', voided_because: 'replaced', version: 2 } },
    });
    await approveProposal(approver, SCOPE, key, fresh.decision_id, { ...yes, version: 2 });
  });

  test('[S21] a proposal of another tenant, or under another key, does not exist', async () => {
    const [key, other] = [await insertOperation(bench.superuser), await insertOperation(bench.superuser)];
    const input = proposal();
    await proposeDecision(operator, SCOPE, key, input);
    for (const [scope, there, id] of [
      [{ ...SCOPE, tenant: 'globex' }, key, input.decision_id],
      [{ ...SCOPE, environment: 'staging' }, key, input.decision_id],
      [SCOPE, other, input.decision_id],
      [SCOPE, key, randomUUID()],
    ] as const) {
      await expect(approveProposal(approver, scope, there, id, yes)).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(voidProposal(approver, scope, there, id, { reason: 'No.' })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    expect(await bench.entries('_system', 'denied')).toBeGreaterThanOrEqual(2);
  });

  test('is declined by the second person, and then over', async () => {
    const key = await insertOperation(bench.superuser);
    const input = proposal();
    await proposeDecision(operator, SCOPE, key, input);
    expect(
      await voidProposal(approver, SCOPE, key, input.decision_id, { reason: 'The log says otherwise.' }),
    ).toMatchObject({ outcome: 'voided', voided_because: 'declined' });
    await expect(
      voidProposal(operator, SCOPE, key, input.decision_id, { reason: 'Mine.' }),
    ).rejects.toMatchObject({ code: 'conflict', details: { conflict: { state: 'voided' } } });
  });

  test('[S26] an amendment to applied without a receipt is the caller’s to correct', async () => {
    const key = await insertOperation(bench.superuser, { status: 'failed_permanent', reason: 'refused' });
    await insertEvidence(bench.superuser, key, { answer: 'found', effect_reference: 'ticket_1' });
    await bench.superuser.query(
      'update tool_operations set contradicted_at = now(), case_at = now() where operation_key = $1',
      [key],
    );
    await expect(
      proposeDecision(operator, SCOPE, key, proposal({ verdict: 'applied' })),
    ).rejects.toMatchObject({ code: 'unprocessable', details: { refusal: 'receipt_required' } });
    const input = proposal({ verdict: 'applied', effect_reference: 'ticket_1' });
    await proposeDecision(operator, SCOPE, key, input);
    expect(await approveProposal(approver, SCOPE, key, input.decision_id, yes)).toMatchObject({
      status: 'applied',
    });
  });
});

describe('a look-up', () => {
  test('under a request id that another operation’s question has is refused, not lost', async () => {
    const [one, two] = [await insertOperation(bench.superuser), await insertOperation(bench.superuser)];
    const input = { request_id: randomUUID() };
    expect(await askLookup(operator, SCOPE, one, input)).toMatchObject({ outcome: 'asked' });
    await expect(askLookup(operator, SCOPE, two, input)).rejects.toMatchObject({ code: 'unprocessable' });
    expect(await askLookup(operator, SCOPE, one, input)).toMatchObject({ outcome: 'already_asked' });
  });
});
