import { statementClient } from '../../db/statement-client.ts';
import {
  createExecutor,
  operationKey,
  postgresStore,
  type Executor,
  type Store,
  type Tool,
} from '../executor/index.ts';
import { downstreamKey } from '../executor/identity/operation-key.ts';
import { runDuties } from '../workers/run-duties.ts';
import type { Boundary, FromWorker, StartWorker, ToWorker } from './messages.ts';
import { playedTool } from './played-tool.ts';
import { loadSubjects } from './subject.ts';

/**
 * One worker process of a fault run: the real executor on the real store, with its duties, and the tool under test.
 * It does nothing by itself; where it stands still, its parent says when it goes on, stops it or kills it.
 */

const stopAt = new Map<string, Boundary>();
const standing = new Map<string, () => void>();
/** Operation keys by the key that goes to the downstream, which may be a digest. */
const operationOf = new Map<string, string>();
const revoked = new Set<string>();
let executor: Executor | undefined;
let tool: Tool | undefined;

const tell = (message: FromWorker) => {
  if (process.connected) process.send?.(message);
};

/** Stands still until `resume`, where the delivery of this key says so; once. */
async function pass(at: Boundary, key: string): Promise<void> {
  if (stopAt.get(key) !== at) return;
  stopAt.delete(key);
  const resumed = new Promise<void>((resume) => {
    standing.set(key, resume);
  });
  tell({ type: 'standing', key, at });
  await resumed;
}

/** The events that record the end of a request. */
const ENDS: ReadonlySet<string> = new Set(['apply', 'accept', 'refuse', 'release', 'doubt']);

/** The real store with a place to stand still before and after the claim, and before the end is recorded. */
function standingStore(real: Store): Store {
  return {
    ...real,
    claim: async (rows) => {
      for (const row of rows) await pass('before_claim', row.operation_key);
      const answers = await real.claim(rows);
      for (const [i, answer] of answers.entries())
        if (answer.claimed) await pass('after_claim', rows[i]?.operation_key ?? '');
      return answers;
    },
    transition: async (event, rows) => {
      if (ENDS.has(event)) for (const row of rows) await pass('before_record', row.operation_key);
      const answers = await real.transition(event, rows);
      if (event === 'acquire')
        for (const [i, { refusal }] of answers.entries())
          if (refusal === null) await pass('after_claim', rows[i]?.operation_key ?? '');
      return answers;
    },
  };
}

const standingTool = (played: Tool): Tool => ({
  ...played,
  effect: async (call) => {
    await pass('before_send', operationOf.get(call.downstreamKey) ?? '');
    return await played.effect(call);
  },
});

async function start(given: StartWorker): Promise<void> {
  const subject = (await loadSubjects(given.module)).find(({ name }) => name === given.subject);
  if (subject === undefined) throw new Error(`${given.module} has no subject ${given.subject}`);
  const { played } = playedTool(subject, given.downstreamUrl);
  tool = standingTool(played);
  const sql = statementClient(given.databaseUrl, { max: 3, applicationName: given.worker });
  executor = await createExecutor({
    environments: ['faults'],
    store: standingStore(postgresStore(sql)),
    tools: [tool],
    worker: given.worker,
    sealing: { current: 'faults', keys: { faults: Buffer.from(given.sealingKey) } },
    authorize: async ({ actor }) => ({
      allowed: !revoked.has(actor.id),
      policyVersion: `revoked:${revoked.size}`,
    }),
  });
  if (given.duties) void runDuties({ executor, signal: new AbortController().signal, warn: () => {} });
  tell({ type: 'ready' });
}

async function deliver({
  id,
  args,
  context,
  stopAt: at,
}: Extract<ToWorker, { type: 'deliver' }>): Promise<void> {
  if (executor === undefined || tool === undefined) throw new Error('the worker has not started');
  const key = operationKey(context);
  operationOf.set(downstreamKey(key, tool.contract.downstream.key), key);
  if (at !== null) stopAt.set(key, at);
  tell({ type: 'outcome', id, outcome: await executor.execute(tool.contract.name, args, context) });
}

function receive(message: ToWorker): void {
  switch (message.type) {
    case 'start':
      start(message).catch((error: unknown) => tell({ type: 'failed', id: null, message: String(error) }));
      return;
    case 'deliver':
      deliver(message).catch((error: unknown) =>
        tell({ type: 'failed', id: message.id, message: String(error) }),
      );
      return;
    case 'resume':
      standing.get(message.key)?.();
      standing.delete(message.key);
      return;
    case 'revoke':
      revoked.add(message.actor);
  }
}

process.once('disconnect', () => process.exit(0)); // it ends with its parent, however that ended
process.on('message', receive);
