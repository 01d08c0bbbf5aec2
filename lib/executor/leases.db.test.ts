import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { ticketsCreate, ticketsCreateContract } from '../demo/tools/tickets-create.ts';
import type { Clock, ContractInput, OperationContext, Tool } from './index.ts';
import {
  gate,
  keyOf,
  MESSAGE,
  newStep,
  newVersion,
  openBench,
  TICKET,
  until,
  type Bench,
} from './testing/bench.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const ticket = (change: Partial<ContractInput> = {}): Tool =>
  ticketsCreate({ url: bench.deskline.url }, { version: newVersion(), ...change });
const budget = (call_budget_ms: number): Partial<ContractInput> => ({
  downstream: { ...ticketsCreateContract.downstream, call_budget_ms },
});
const idOf = (step: OperationContext) => ({
  tenant_id: step.tenantId,
  environment: step.environment,
  operation_key: keyOf(step),
});
const seconds = async (key: string, expression: string) => {
  const [row] = await bench.sql(
    `select extract(epoch from ${expression})::float8 as s from public.tool_operations where operation_key = $1`,
    [key],
  );
  return Number(row?.['s']);
};

/** Holds an attempt of `tool` open; its worker beats no heart unless the contract's lease asks for it. */
async function held(
  tool: Tool,
  args: unknown,
  work: (key: string, token: string, step: OperationContext) => Promise<void>,
) {
  const { open, opened } = gate();
  const holding: Tool = {
    ...tool,
    effect: async (call) => {
      await opened;
      return await tool.effect(call);
    },
  };
  const executor = await bench.executor([holding]);
  const step = newStep();
  const outcome = executor.execute(tool.contract.name, args, step);
  await until(
    async () =>
      (await bench.sql('select from public.tool_operations where operation_key = $1', [keyOf(step)]))
        .length === 1,
  );
  try {
    await work(keyOf(step), String((await bench.row(keyOf(step)))['lease_token']), step);
  } finally {
    open();
    await outcome;
  }
  return await outcome;
}

describe('a heartbeat', () => {
  test('extends a live lease, and never past quiet time', async () => {
    const tool = ticket({ lease_seconds: 60, ...budget(120_000) });
    await held(tool, TICKET, async (key, token, step) => {
      await bench.pass(key, 50);
      expect(await seconds(key, 'lease_until - clock_timestamp()')).toBeLessThan(11);
      expect(await bench.store.heartbeat([{ ...idOf(step), lease_token: token }])).toEqual([true]);
      expect(await seconds(key, 'lease_until - clock_timestamp()')).toBeGreaterThan(55);
      expect(await seconds(key, 'quiet_until - lease_until')).toBeGreaterThan(0);
      await bench.pass(key, 30);
      expect(await bench.store.heartbeat([{ ...idOf(step), lease_token: token }])).toEqual([true]);
      expect(await seconds(key, 'quiet_until - lease_until')).toBe(0);
      expect(await seconds(key, `case_at - lease_until`)).toBe(60);
    });
  });

  test('changes no version and writes no trace', async () => {
    await held(ticket(), TICKET, async (key, token, step) => {
      const { version } = await bench.row(key);
      const kinds = await bench.kinds(key);
      await bench.store.heartbeat([{ ...idOf(step), lease_token: token }]);
      expect((await bench.row(key))['version']).toBe(version);
      expect(await bench.kinds(key)).toEqual(kinds);
    });
  });

  test('never revives a lease that has run out, nor one of another token', async () => {
    await held(ticket(), TICKET, async (key, token, step) => {
      const other = '00000000-0000-4000-8000-000000000001';
      expect(await bench.store.heartbeat([{ ...idOf(step), lease_token: other }])).toEqual([false]);
      await bench.pass(key, 5);
      const before = await bench.row(key);
      expect(await bench.store.heartbeat([{ ...idOf(step), lease_token: token }])).toEqual([false]);
      expect(await bench.row(key)).toEqual(before);
    });
  });

  test('before the send goes no further than one call budget after the acquisition, whatever evidence came meanwhile', async () => {
    const tool = ticket({ lease_seconds: 60, ...budget(90_000) });
    await bench.executor([tool]);
    const step = newStep();
    const token = '00000000-0000-4000-8000-000000000003';
    await bench.store.claim([
      {
        ...idOf(step),
        tool_name: tool.contract.name,
        tool_version: tool.contract.version,
        connector: 'deskline.tickets',
        deploy: null,
        request_fingerprint: 'sha256:x',
        fingerprint_version: 1,
        into: 'leased',
        approval_required: false,
        request_sealed: null,
        request_redacted: {},
        intent_event: null,
        business_reference: null,
        workflow_id: step.workflowId,
        step_id: step.stepId,
        actor: 'agent:planner',
        lease_owner: 'worker-1',
        lease_token: token,
        send: false,
        downstream_key: keyOf(step),
        downstream_request_id: 'r-1',
        trace: {},
      },
    ]);
    const key = keyOf(step);
    await bench.sql(
      `update public.tool_operation_events set at = at - interval '50 seconds' where operation_key = $1`,
      [key],
    );
    await bench.pass(key, 50);
    await bench.store.recordEvidence([
      {
        ...idOf(step),
        source: 'lookup',
        asked_by: 'user:1',
        answer: 'pending',
        authoritative: true,
        summary: 'x',
        trace: {},
      },
    ]);
    expect(await bench.store.heartbeat([{ ...idOf(step), lease_token: token }])).toEqual([true]);
    expect(await seconds(key, 'lease_until - clock_timestamp()')).toBeLessThan(41); // 90 − 50, and not 60
  });

  test('keeps a slow call alive beyond its first lease', async () => {
    const tool = ticket({ lease_seconds: 1 });
    const outcome = await held(tool, TICKET, async (key) => {
      const first = await seconds(key, 'lease_until');
      await until(async () => (await seconds(key, 'lease_until')) > first, 'a heartbeat');
    });
    expect(outcome.status).toBe('applied');
  });
});

describe('rule 2: a lease’s end proves nothing', () => {
  test('[B23] a sent attempt whose lease ran out recovers: it is listed with its age, and its lookup runs', async () => {
    await held(ticket(), TICKET, async (key, _token, step) => {
      await bench.pass(key, 120);
      const [{ late } = {}] = await bench.sql(
        'select case_at < now() as late from public.tool_operations where operation_key = $1',
        [key],
      );
      expect(late).toBe(true); // a person's work even if no worker is left to recover it
      const other = await bench.executor([]);
      expect(await other.recover(200)).toBe(1);
      expect(await bench.row(key)).toMatchObject({
        pending_reason: 'recovering',
        reason: 'lease_expired',
        doubt_attempt: 1,
      });
      expect(await other.recover(200)).toBe(0);
      expect((await bench.kinds(key)).filter((kind) => kind === 'expire')).toHaveLength(1);
      expect(await bench.effects(keyOf(step))).toEqual([]);
    });
  });

  test('two recoverers fire one expire', async () => {
    await held(messagesSend({ url: bench.deskline.url }, { version: newVersion() }), MESSAGE, async (key) => {
      await bench.pass(key, 60);
      const [one, other] = await Promise.all([bench.executor([]), bench.executor([])]);
      await Promise.all([one.recover(200), other.recover(200)]);
      expect((await bench.kinds(key)).filter((kind) => kind === 'expire')).toHaveLength(1);
      expect(await bench.row(key)).toMatchObject({ status: 'unknown', reason: 'lease_expired' });
    });
  });

  test('a live lease does not expire', async () => {
    await held(ticket(), TICKET, async (key, _token, step) => {
      const [answer] = await bench.store.transition('expire', [{ ...idOf(step), trace: {} }]);
      expect(answer?.refusal).toBe('not_allowed');
      expect(await bench.row(key)).toMatchObject({ pending_reason: 'leased' });
    });
  });
});

describe('rule 7: no JavaScript time is compared with a lease', () => {
  test.each([-3_600_000, 3_600_000])(
    'a worker clock that is %i ms off changes no outcome, lease or quiet time',
    async (shift) => {
      const clock: Clock = {
        now: () => performance.now() + shift,
        after: (ms, call) => {
          const timer = setTimeout(call, ms);
          return () => clearTimeout(timer);
        },
      };
      const tool = ticket();
      const executor = await bench.executor([tool], { clock });
      const step = newStep();
      expect((await executor.execute('tickets.create', TICKET, step)).status).toBe('applied');
      expect((await executor.execute('tickets.create', TICKET, step)).status).toBe('replayed');
      expect(await seconds(keyOf(step), 'quiet_until - sent_at')).toBe(3);
      expect(Math.abs(await seconds(keyOf(step), 'clock_timestamp() - sent_at'))).toBeLessThan(60);
      const [{ off } = {}] = await bench.sql(
        `select max(abs((s->>'ms_ago')::float8)) / 1000 as off
         from public.tool_operation_events e, jsonb_array_elements(e.steps) s where operation_key = $1`,
        [keyOf(step)],
      );
      expect(off).toBeLessThan(60); // the trace's steps too are told by the database clock: as time before their event

      await held(tool, TICKET, async (key) => {
        expect(await executor.recover(200)).toBe(0);
        await bench.pass(key, 5);
        expect(await executor.recover(200)).toBe(1);
      });
    },
  );

  test('a wall clock that jumps changes nothing', async () => {
    const real = Date.now;
    Date.now = () => real() + 86_400_000;
    try {
      const executor = await bench.executor([ticket()]);
      const step = newStep();
      expect((await executor.execute('tickets.create', TICKET, step)).status).toBe('applied');
      expect(await bench.effects(keyOf(step))).toHaveLength(1);
    } finally {
      Date.now = real;
    }
  });
});

describe('a lease that could not end', () => {
  test.each([0, -1, undefined, Number.NaN])(
    '[B25] of %s seconds is refused before anything is written',
    async (lease) => {
      expect(() => ticket({ lease_seconds: lease } as Partial<ContractInput>)).toThrow(/lease_seconds/);
      const rows = await bench.rows();
      const tool = ticket();
      const forged = { ...tool, contract: { ...tool.contract, lease_seconds: lease } } as Tool;
      await expect(bench.executor([forged])).rejects.toThrow();
      expect(await bench.rows()).toBe(rows);
      expect(
        await bench.sql('select from public.tool_contracts where version = $1', [tool.contract.version]),
      ).toEqual([]);
    },
  );

  test.each([
    ['no pending reason', 'pending_reason = null'],
    ['no end of its lease', 'lease_until = null'],
    ['no token', 'lease_token = null'],
    ['no owner', 'lease_owner = null'],
    ['ready, and still leased', `pending_reason = 'ready', next_attempt_at = now()`],
    [
      'recovering without a deadline',
      `pending_reason = 'recovering', lease_token = null, lease_until = null`,
    ],
  ])('[B25] a pending row with %s is refused by the database', async (_name, change) => {
    await held(ticket(), TICKET, async (key) => {
      await expect(
        bench.sql(`update public.tool_operations set ${change} where operation_key = $1`, [key]),
      ).rejects.toThrow('tool_operations_pending');
      expect(await bench.row(key)).toMatchObject({ pending_reason: 'leased' });
    });
  });
});
