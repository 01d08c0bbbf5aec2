import { statementClient } from '../../../db/statement-client.ts';
import { need } from '../../env.ts';
import {
  createExecutor,
  operationKey,
  postgresStore,
  type Executor,
  type Tool,
} from '../../executor/index.ts';
import { logger } from '../../logger.ts';
import { runDuties } from '../../workers/run-duties.ts';
import { messagesSend } from '../tools/messages-send.ts';
import { paymentsCharge } from '../tools/payments-charge.ts';
import { refundsCreate } from '../tools/refunds-create.ts';
import { ticketsClose } from '../tools/tickets-close.ts';
import { ticketsCreate } from '../tools/tickets-create.ts';
import type { Delivery, FromWorker, ToWorker } from './messages.ts';
import { pausingTool } from './pausing-tool.ts';
import { answerOf, FIRST_POLICY, type Policy } from './policy.ts';
import type { Boundary } from './plan/step.ts';

/** One worker process: a real executor with the five tools and its duties. What it does comes from its parent. */

const log = logger('worker');
const sql = statementClient(need('DATABASE_EXECUTOR_URL'), { max: 4, applicationName: 'replay-desk worker' });
const stopping = new AbortController();
/** Where the effect of a key stands still; set by the delivery that brings it. */
const pauses = new Map<string, Boundary>();
let policy: Policy = FIRST_POLICY;
let executor: Executor | undefined;
const deliveries = new Set<Promise<void>>();
let duties = Promise.resolve();

const tell = (message: FromWorker) => {
  if (process.connected) process.send?.(message);
};
const warn = (message: string, error?: unknown) =>
  log.warn({ reason: error instanceof Error ? error.message : undefined }, message);

async function start({ worker, fieldDigestKey }: Extract<ToWorker, { type: 'start' }>): Promise<void> {
  const wire = { url: need('DESKLINE_URL') };
  const pausing = <Args>(tool: Tool<Args>) =>
    pausingTool(
      tool,
      (key) => pauses.get(key),
      (key, at) => tell({ type: 'boundary', key, at }),
    );
  executor = await createExecutor({
    environments: ['production', 'staging'],
    store: postgresStore(sql),
    tools: [
      pausing(ticketsCreate(wire)),
      pausing(ticketsClose(wire)),
      pausing(paymentsCharge(wire)),
      pausing(refundsCreate(wire)),
      pausing(messagesSend(wire)),
    ] as Tool[],
    authorize: async (question) => answerOf(policy, question),
    worker: `${worker}:${process.pid}`,
    deploy: 'demo',
    fieldDigestKey: Buffer.from(fieldDigestKey, 'hex'),
    warn,
  });
  duties = runDuties({ executor, signal: stopping.signal, warn });
  tell({ type: 'ready' });
}

async function deliver(id: number, { tool, arguments: args, context, pauseAt }: Delivery): Promise<void> {
  if (pauseAt !== undefined) pauses.set(operationKey(context), pauseAt);
  try {
    if (executor === undefined) throw new Error('the worker has not started');
    const outcome = await executor.execute(tool, args, context, { signal: stopping.signal });
    tell({ type: 'outcome', id, outcome });
  } catch (error) {
    tell({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) });
  }
}

function receive(message: ToWorker): void {
  switch (message.type) {
    case 'start':
      policy = message.policy;
      start(message).catch((error: unknown) => {
        warn('the executor did not start', error);
        process.exit(1);
      });
      break;
    case 'policy':
      policy = message.policy;
      break;
    case 'deliver':
      begin(deliver(message.id, message.delivery));
      break;
  }
}

function begin(delivery: Promise<void>): void {
  deliveries.add(delivery);
  void delivery.then(() => deliveries.delete(delivery));
}

/** What was claimed is recorded before the end. */
async function stop(): Promise<void> {
  stopping.abort(new Error('the worker stops'));
  await Promise.all([duties, ...deliveries]);
  await sql.end({ timeout: 2 });
  process.exit(0);
}

process.on('message', receive);
process.channel?.ref(); // deliveries are what it lives for
process.once('SIGTERM', () => void stop());
