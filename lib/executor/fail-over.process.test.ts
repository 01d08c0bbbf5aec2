import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeClients, executorSql } from '../../db/client.ts';
import { startMortalCluster, type MortalCluster } from '../../db/testing/mortal-cluster.ts';
import { desklineControl, type DesklineControl } from '../demo/deskline/client.ts';
import { startDeskline, type Deskline } from '../demo/deskline/start-deskline.ts';
import { messagesSend } from '../demo/tools/messages-send.ts';
import { ticketsCreate, ticketsCreateContract } from '../demo/tools/tickets-create.ts';
import { createExecutor, postgresStore, type Executor, type Tool } from './index.ts';
import { keyOf, MESSAGE, newStep, permit, TICKET, type Stored } from './testing/bench.ts';
import { faultyStore } from './testing/faulty-store.ts';

/*
 * A standby that lost claims is promoted: a real copy of the data folder, started on a new timeline after the first
 * server took more claims and was killed with -9. Each step below is named for what became of it.
 */
const steps = {
  applied: newStep(),
  leasedTicket: newStep(),
  leasedMessage: newStep(),
  ready: newStep(),
  lostTicket: newStep(),
  lostMessage: newStep(),
  lostShortWindow: newStep(),
  newMessage: newStep(),
};
type Step = keyof typeof steps;

let primary: MortalCluster;
let promoted: MortalCluster;
let deskline: Deskline;
let control: DesklineControl;
let dir: string;
let superuser: Client;
let executor: Executor;
let tickets: Tool;
let messages: Tool;
let shortWindow: Tool;
const warnings: string[] = [];
let references: Record<string, string | null>;

const effects = async (step: Step) =>
  (await control.effectsFor(keyOf(steps[step]))).filter(({ kind }) => kind === 'record');
const rows = async (step: Step): Promise<Stored[]> =>
  (await superuser.query('select * from tool_operations where operation_key = $1', [keyOf(steps[step])]))
    .rows;
const row = async (step: Step) => (await rows(step))[0] ?? {};
const kinds = async (step: Step) =>
  (
    await superuser.query<{ kind: string }>(
      'select kind from tool_operation_events where operation_key = $1 order by event_id',
      [keyOf(steps[step])],
    )
  ).rows.map(({ kind }) => kind);
/** Lets the waiting of every open row pass, by the database's clock. */
const pass = (seconds: number) =>
  superuser.query(
    `update tool_operations set lease_until = lease_until - make_interval(secs => $1),
       quiet_until = quiet_until - make_interval(secs => $1), next_attempt_at = next_attempt_at - make_interval(secs => $1)
     where status = 'pending'`,
    [seconds],
  );
const deliver = (step: Step, on = executor) => {
  const tool = step.toLowerCase().includes('message')
    ? messages
    : step === 'lostShortWindow'
      ? shortWindow
      : tickets;
  return on.execute(tool.contract.name, tool === messages ? MESSAGE : TICKET, steps[step]);
};

/** `npm run epoch -- …`, in a process of its own; answers its JSON. */
async function epochCommand(...args: string[]): Promise<unknown> {
  const script = path.resolve(import.meta.dirname, '../../scripts/epoch.ts');
  const child = spawn(process.execPath, [script, ...args, '--json'], {
    env: { ...process.env, DATABASE_OWNER_URL: promoted.urls.owner },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = await text(child.stdout);
  return JSON.parse(said);
}

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'fail-over-'));
  [primary, deskline] = await Promise.all([startMortalCluster(), startDeskline({ port: 0, dir })]);
  control = desklineControl(deskline.url);
  const wire = { url: deskline.url };
  // each step has the same request, so that only the keys tell them apart
  tickets = ticketsCreate(wire, { require_intent: 'never' });
  messages = messagesSend(wire, { require_intent: 'never' });
  shortWindow = ticketsCreate(wire, {
    name: 'tickets.forgotten',
    require_intent: 'never',
    downstream: { ...ticketsCreateContract.downstream, key_window_seconds: 5 },
  });
  const tools = [tickets, messages, shortWindow];
  const open = (cluster: MortalCluster) => faultyStore(postgresStore(executorSql(cluster.urls.executor)));
  const options = {
    environments: ['production'],
    tools,
    authorize: permit,
    warn: (message: string) => void warnings.push(message),
  };

  // what survives: applied, two attempts whose end was not recorded, and one that provably did nothing
  const before = open(primary);
  const first = await createExecutor({ ...options, store: before });
  references = { applied: (await deliver('applied', first)).effect_reference };
  before.break('transition', 'fail', 100, 'apply');
  await Promise.all([deliver('leasedTicket', first), deliver('leasedMessage', first)]);
  await control.setFaults([{ fault: 'not_now=1', key_prefix: keyOf(steps.ready), times: 9 }]);
  await deliver('ready', first);
  await control.clearFaults();
  await closeClients();
  await primary.stop();
  const standby = primary.copy();

  // what is lost: the first server takes more claims, and their effects happen
  await primary.start();
  const last = await createExecutor({ ...options, store: open(primary) });
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // until what Deskline asked to wait for has passed
  for (const step of ['ready', 'lostTicket', 'lostMessage', 'lostShortWindow'] as const) {
    const outcome = await deliver(step, last);
    if (outcome.status !== 'applied') throw new Error(`${step} ended ${outcome.status}`);
    references[step] = outcome.effect_reference;
  }
  await primary.kill();
  await closeClients();

  promoted = await standby.promote();
  superuser = new Client({ connectionString: promoted.urls.superuser });
  await superuser.connect();
  warnings.length = 0;
  executor = await createExecutor({ ...options, store: open(promoted) });
}, 120_000);

afterAll(async () => {
  await closeClients();
  await superuser.end();
  await promoted.remove();
  await primary.remove();
  await deskline.close();
  await rm(dir, { recursive: true, force: true });
});

describe('[S44] [B50] a standby that lost claims is promoted; before a person accepts it', () => {
  test('the process that starts on it says so, and the status shows what is open', async () => {
    expect(warnings).toEqual([expect.stringContaining('another database server')]);
    expect(await epochCommand('status')).toMatchObject({ accepted: false, older: { pending: 3 } });
    const { rows: epochs } = await superuser.query<{ epoch: string; accepted: boolean }>(
      'select epoch, accepted_at is not null as accepted from app.epochs order by seen_at',
    );
    expect(epochs.map(({ accepted }) => accepted)).toEqual([true, false]);
    const [[system, timeline], [sameSystem, next]] = epochs.map(({ epoch }) => epoch.split('/')) as [
      string[],
      string[],
    ];
    expect([sameSystem, Number(next)]).toEqual([system, Number(timeline) + 1]);
  });

  test('what was recorded is replayed', async () => {
    expect(await deliver('applied')).toMatchObject({
      status: 'replayed',
      effect_reference: references['applied'],
    });
  });

  test('what was ready, and ran on the lost server, is not sent again', async () => {
    expect(await deliver('ready')).toMatchObject({ status: 'in_flight', reason: 'fail_over' });
    await executor.recover();
    await executor.reconcile();
    expect(await row('ready')).toMatchObject({ pending_reason: 'ready', attempt: 1 });
    expect(await effects('ready')).toHaveLength(1);
  });

  test('an expired lease is a doubt; found evidence settles it, and where none can be had it is unknown', async () => {
    await pass(60);
    await executor.recover();
    await executor.reconcile();
    expect(await row('leasedTicket')).toMatchObject({ status: 'applied', resolved_by: 'reconciler' });
    expect(await row('leasedMessage')).toMatchObject({ status: 'unknown', reason: 'lease_expired' });
    expect([await effects('leasedTicket'), await effects('leasedMessage')]).toMatchObject([
      [{ reference: (await row('leasedTicket'))['effect_reference'] }],
      [{}],
    ]);
  });

  test('a lost claim of a tool whose downstream deduplicates finds its first effect by the same key', async () => {
    expect(await deliver('lostTicket')).toMatchObject({
      status: 'applied',
      effect_reference: references['lostTicket'],
    });
    expect(await effects('lostTicket')).toHaveLength(1);
    expect(await kinds('lostTicket')).toEqual(['claim', 'acquire', 'apply']);
    const { rows: epochs } = await superuser.query<Stored>(
      'select epoch, survived_at from app.epochs where accepted_at is null',
    );
    // counted as the second attempt, and its key as old as the last send that survived
    expect(await row('lostTicket')).toMatchObject({
      attempt: 2,
      sent_attempt: 2,
      epoch: epochs[0]?.['epoch'],
      first_sent_at: epochs[0]?.['survived_at'],
    });
    const { rows: sends } = await superuser.query<{ at: Date }>(
      'select max(sent_at) as at from tool_operations where operation_key = any($1)',
      [['applied', 'leasedTicket', 'leasedMessage', 'ready'].map((step) => keyOf(steps[step as Step]))],
    );
    expect(sends[0]?.at).toEqual(epochs[0]?.['survived_at']);
  });

  test('a clean refusal does not undo the doubt that the lost claim is', async () => {
    const step = newStep();
    await control.setFaults([{ fault: 'refuse', key_prefix: keyOf(step), times: 1 }]);
    const outcome = await executor.execute(tickets.contract.name, TICKET, step);
    expect(outcome).toMatchObject({ status: 'in_flight', reason: 'recovering', safe_to_repeat: false });
  });

  test.each(['lostMessage', 'newMessage', 'lostShortWindow'] as const)(
    'a tool without deduplication, or whose downstream may have forgotten the key, claims nothing: %s',
    async (step) => {
      const before = await effects(step);
      expect(await deliver(step)).toMatchObject({
        status: 'rejected',
        reason: 'fail_over',
        next_action: 'retry_later',
        effect_reference: null,
      });
      expect(await rows(step)).toEqual([]);
      expect(await effects(step)).toHaveLength(before.length);
    },
  );
});

describe('[S44] once a person has accepted it', () => {
  const accept = () => epochCommand('accept', '--reason', 'The old server is gone for good.');

  test('what was open leads to recovering or unknown, once, with an audit entry', async () => {
    expect(await accept()).toMatchObject({ outcome: 'accepted', fired: { recovering: 1, unknown: 1 } });
    expect(await accept()).toMatchObject({ outcome: 'already_accepted', accepted_by: userInfo().username });
    expect(await row('ready')).toMatchObject({
      pending_reason: 'recovering',
      reason: 'fail_over',
      doubt_attempt: 1,
    });
    expect(await row('leasedMessage')).toMatchObject({ status: 'unknown', reason: 'fail_over' });
    expect((await kinds('ready')).at(-1)).toBe('fail_over');
    const { rows: entries } = await superuser.query<{ body: Buffer }>(
      `select body from audit_entries where tenant_id = '_system' and action = 'epoch_accepted'`,
    );
    expect(entries).toHaveLength(1);
    expect(JSON.parse(entries[0]?.body.toString() ?? '')).toMatchObject({
      actor: 'system:owner',
      detail: { person: userInfo().username, reason: 'The old server is gone for good.' },
    });
  });

  test('what ran on the lost server is found by its key and not sent again', async () => {
    for (let turn = 0; turn < 3; turn++) {
      await deliver('ready');
      await executor.reconcile();
      await pass(10);
    }
    expect(await deliver('ready')).toMatchObject({
      status: 'replayed',
      effect_reference: references['ready'],
    });
    expect(await effects('ready')).toHaveLength(1);
  });

  test('new keys are claimed as ever', async () => {
    expect(await deliver('newMessage')).toMatchObject({ status: 'applied', attempt: 1 });
    expect((await row('newMessage'))['epoch']).toMatch(/^\d+\/00000002$/);
    expect(await effects('newMessage')).toHaveLength(1);
  });
});
