import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import type { AuthorizationQuestion, Authorize, Tool } from './index.ts';
import {
  authorizations,
  expectNothingRevealed,
  keyOf,
  newStep,
  newVersion,
  openBench,
  permit,
  TICKET,
  type Bench,
} from './testing/bench.ts';

let bench: Bench;
let tool: Tool;
let sent = 0;
beforeAll(async () => {
  bench = await openBench();
  const ticket: Tool = ticketsCreate({ url: bench.deskline.url }, { version: newVersion() });
  tool = {
    ...ticket,
    effect: async (call) => {
      sent += 1;
      return await ticket.effect(call);
    },
  };
});
afterAll(() => bench.close());

const deniedAt =
  (phase: AuthorizationQuestion['phase'], permanent = false): Authorize =>
  async (question) => ({ allowed: question.phase !== phase, permanent, policyVersion: 'policy-7' });

async function delivered(authorize: Authorize, step = newStep(), args: unknown = TICKET) {
  const before = sent;
  const executor = await bench.executor([tool], { authorize });
  const outcome = await executor.execute('tickets.create', args, step);
  return { outcome, key: keyOf(step), sends: sent - before };
}

describe('rule 9: authorization is asked', () => {
  test('before the claim: a denial writes no operation, sends nothing, and is traced', async () => {
    const { outcome, key, sends } = await delivered(deniedAt('delivery'));
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'unauthorized', next_action: 'none' });
    expectNothingRevealed({ ...outcome });
    expect(sends).toBe(0);
    expect(await bench.effects(key)).toEqual([]);
    await expect(bench.row(key)).rejects.toThrow('no operation');
    const events = await bench.events(key);
    expect(events).toMatchObject([
      { kind: 'rejected', actor: 'agent:planner', detail: { reason: 'unauthorized' } },
    ]);
    expect(authorizations(events)).toEqual(['delivery:false']);
  });

  test('before the stored state is revealed: a denied caller cannot tell a known key from a new one', async () => {
    const step = newStep();
    await delivered(permit, step);
    const known = await delivered(deniedAt('delivery'), step);
    const fresh = await delivered(deniedAt('delivery'));
    const other = await delivered(deniedAt('delivery'), step, { ...TICKET, body: 'Another.' });
    for (const { outcome } of [known, other])
      expect({ ...outcome, operation_key: '' }).toEqual({ ...fresh.outcome, operation_key: '' });
  });

  test('again immediately before the effect: a denial releases, and nothing is on the wire', async () => {
    const { outcome, key, sends } = await delivered(deniedAt('effect'));
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'unauthorized', effect_reference: null });
    expect(sends).toBe(0);
    expect(await bench.effects(key)).toEqual([]);
    expect(await bench.row(key)).toMatchObject({ pending_reason: 'ready', doubt_attempt: null });
    const events = await bench.events(key);
    expect(events.map(({ kind }) => kind)).toEqual(['claim', 'release']);
    expect(authorizations(events)).toEqual(['delivery:true', 'effect:false']);
  });

  test('and a denial that cannot change is a refusal', async () => {
    const { outcome, key, sends } = await delivered(deniedAt('effect', true));
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'unauthorized' });
    expect(sends).toBe(0);
    expect(await bench.row(key)).toMatchObject({ status: 'failed_permanent', reason: 'precondition_failed' });
    expect(await bench.kinds(key)).toEqual(['claim', 'refuse']);
  });

  test('before a replay: a caller who may no longer see it gets nothing of the result', async () => {
    const step = newStep();
    const first = await delivered(permit, step);
    expect(first.outcome.status).toBe('applied');
    const { outcome, key } = await delivered(deniedAt('replay'), step);
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'unauthorized' });
    expectNothingRevealed({ ...outcome });
    const events = await bench.events(key);
    expect(events.at(-1)).toMatchObject({ kind: 'rejected' });
    expect(authorizations(events)).toEqual(['delivery:true', 'effect:true', 'delivery:true', 'replay:false']);
    expect(await bench.effects(key)).toEqual([first.outcome.effect_reference]);
  });

  test('[B41] a user whose rights were revoked gets nothing of what was applied, and the provider is not asked', async () => {
    const rights = new Set(['user:ines']);
    const policy: Authorize = async ({ actor }) => ({
      allowed: rights.has(actor.onBehalfOf ?? ''),
      policyVersion: `rights-${rights.size}`,
    });
    const step = newStep({ actor: { id: 'agent:planner', onBehalfOf: 'user:ines' } });
    const first = await delivered(policy, step);
    expect(first.outcome.status).toBe('applied');
    rights.delete('user:ines');
    const { outcome, key, sends } = await delivered(policy, step);
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'unauthorized', next_action: 'none' });
    expectNothingRevealed({ ...outcome });
    expect(JSON.stringify(outcome)).not.toContain(first.outcome.effect_reference);
    expect(sends).toBe(0);
    expect(await bench.effects(key)).toEqual([first.outcome.effect_reference]);
    expect((await bench.events(key)).at(-1)).toMatchObject({
      kind: 'rejected',
      actor: 'agent:planner',
      detail: { reason: 'unauthorized', on_behalf_of: 'user:ines' },
      steps: expect.arrayContaining([
        expect.objectContaining({
          step: 'authorized',
          detail: { phase: 'delivery', actor: 'agent:planner', policy: 'rights-0', allowed: false },
        }),
      ]),
    });
  });

  test('with actor, tool, version, scope, key and what identifies the request; each answer is in the trace', async () => {
    const asked: AuthorizationQuestion[] = [];
    const step = newStep({ actor: { id: 'agent:planner', onBehalfOf: 'user:ines' } });
    const { key } = await delivered(async (question) => {
      asked.push(question);
      return { allowed: true, policyVersion: `policy-${asked.length}` };
    }, step);
    expect(asked).toMatchObject([
      { phase: 'delivery', attempt: 0 },
      { phase: 'effect', attempt: 1 },
    ]);
    for (const question of asked)
      expect(question).toMatchObject({
        tool: 'tickets.create',
        toolVersion: tool.contract.version,
        actor: { id: 'agent:planner', onBehalfOf: 'user:ines' },
        tenantId: 'acme',
        environment: 'production',
        operationKey: key,
        material: { subject: TICKET.subject },
      });
    const steps = (await bench.events(key)).flatMap(
      ({ steps: marks }) => marks as { step: string; detail?: unknown }[],
    );
    expect(steps.filter(({ step: name }) => name === 'authorized').map(({ detail }) => detail)).toEqual([
      { phase: 'delivery', actor: 'agent:planner', policy: 'policy-1', allowed: true },
      { phase: 'effect', actor: 'agent:planner', policy: 'policy-2', allowed: true },
    ]);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('policy server down'))],
    ['answers nothing', () => Promise.resolve(undefined)],
    ['answers a text that looks true', () => Promise.resolve({ allowed: 'false', policyVersion: '1' })],
  ])('a policy that %s denies', async (_name, authorize) => {
    const { outcome, sends } = await delivered(authorize as unknown as Authorize);
    expect(outcome.reason).toBe('unauthorized');
    expect(sends).toBe(0);
  });
});

describe('rule 8: another request under the same key', () => {
  test('performs nothing and reveals nothing but the two contract versions; the trace has both fingerprints', async () => {
    const step = newStep();
    const first = await delivered(permit, step);
    const { outcome, key, sends } = await delivered(permit, step, { ...TICKET, body: 'Something else.' });
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: 'fingerprint_mismatch',
      next_action: 'inspect_operation',
      safe_to_repeat: false,
      versions: { stored: tool.contract.version, incoming: tool.contract.version },
    });
    expectNothingRevealed({ ...outcome });
    expect(JSON.stringify(outcome)).not.toContain(first.outcome.effect_reference);
    expect(sends).toBe(0);
    expect(await bench.effects(key)).toHaveLength(1);
    const last = (await bench.events(key)).at(-1);
    const detail = last?.['detail'] as Record<string, string>;
    expect(detail['stored_fingerprint']).toMatch(/^sha256:/);
    expect(detail['incoming_fingerprint']).not.toBe(detail['stored_fingerprint']);
    expect(JSON.stringify(last)).not.toContain('Something else');
  });

  test('by another tool is the same', async () => {
    const other: Tool = ticketsCreate(
      { url: bench.deskline.url },
      { name: 'tickets.other', version: newVersion() },
    );
    const step = newStep();
    await delivered(permit, step);
    const executor = await bench.executor([other, tool]);
    const outcome = await executor.execute('tickets.other', TICKET, step);
    expect(outcome).toMatchObject({ status: 'rejected', reason: 'fingerprint_mismatch' });
    expectNothingRevealed({ ...outcome });
    expect(await bench.effects(keyOf(step))).toHaveLength(1);
  });

  test('while the first is in doubt, unknown or failed is told the same as when it is applied', async () => {
    const said = [];
    for (const state of ['applied', 'unknown', 'failed_permanent', 'approved_new_key']) {
      const step = newStep();
      await delivered(permit, step);
      await bench.sql(
        `update public.tool_operations set status = $2, case_at = case when $2 = 'unknown' then now() end, successor_key = 'acme:production:x!1' where operation_key = $1`,
        [keyOf(step), state],
      );
      const { outcome } = await delivered(permit, step, { ...TICKET, body: 'Something else.' });
      said.push({ ...outcome, operation_key: '' });
    }
    expect(new Set(said.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
  });
});
