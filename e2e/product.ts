import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Client } from 'pg';
import { executorSql } from '../db/client.ts';
import { roleUrls } from '../db/prepare-database.ts';
import { desklineControl, type DesklineControl } from '../lib/demo/deskline/client.ts';
import { loadSecrets } from '../lib/demo/supervisor/secrets.ts';
import { messagesSend } from '../lib/demo/tools/messages-send.ts';
import { paymentsCharge } from '../lib/demo/tools/payments-charge.ts';
import { refundsCreate } from '../lib/demo/tools/refunds-create.ts';
import { env } from '../lib/env.ts';
import { createExecutor, postgresStore, type OperationContext, type Outcome } from '../lib/executor/index.ts';

/** The running product from the outside: an agent of our own with a real executor, and eyes on what really happened. */
export interface Product {
  deskline: DesklineControl;
  /** Delivers a step; `fault` is Deskline's for this delivery. */
  deliver(
    tool: string,
    args: object,
    step: string,
    more?: { fault?: string; successorKey?: string },
  ): Promise<Outcome>;
  /** Asks the database until `ready` says so; the test's own timeout bounds it. */
  until(key: string, ready: (row: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  events(key: string, kind: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

const TENANT = 'acme';
const ENVIRONMENT = 'production';

export async function openProduct(): Promise<Product> {
  const port = env().E2E_PORT;
  const secrets = loadSecrets(path.resolve('.data/e2e'));
  const urls = roleUrls(`postgres://127.0.0.1:${port + 3}/`, secrets.passwords, 'replay_desk');
  const url = `http://127.0.0.1:${port + 2}`;
  let fault: string | undefined;
  const wire = { url, fault: () => fault };
  const executor = await createExecutor({
    environments: ['production'],
    store: postgresStore(executorSql(urls.executor)),
    tools: [paymentsCharge(wire), refundsCreate(wire), messagesSend(wire)],
    authorize: async () => ({ allowed: true, policyVersion: 'e2e' }),
    worker: 'e2e',
  });
  const auditor = new Client({ connectionString: urls.auditor });
  await auditor.connect();
  const read = async (key: string) => {
    const { rows } = await auditor.query<Record<string, unknown>>(
      'select * from tool_operations where tenant_id = $1 and operation_key = $2',
      [TENANT, key],
    );
    return rows[0];
  };
  return {
    deskline: desklineControl(url),
    deliver: async (tool, args, step, more = {}) => {
      const context: OperationContext = {
        tenantId: TENANT,
        environment: ENVIRONMENT,
        workflowId: 'run_e2e',
        stepId: step,
        actor: { id: 'agent:e2e' },
        intentEvent: `asked:${step}`,
        toolCallId: `call_${randomUUID().slice(0, 8)}`,
        ...(more.successorKey !== undefined && { successorKey: more.successorKey }),
      };
      fault = more.fault;
      try {
        return await executor.execute(tool, args, context);
      } finally {
        fault = undefined;
      }
    },
    until: async (key, ready) => {
      for (;;) {
        const row = await read(key);
        if (row !== undefined && ready(row)) return row;
        await new Promise((done) => setTimeout(done, 250));
      }
    },
    events: async (key, kind) =>
      (
        await auditor.query<Record<string, unknown>>(
          'select * from tool_operation_events where tenant_id = $1 and operation_key = $2 and kind = $3 order by event_id',
          [TENANT, key, kind],
        )
      ).rows,
    close: () => auditor.end(),
  };
}

let count = 0;
/** A step that no other test uses. */
export const newStep = (name: string) => `${name}_${Date.now().toString(36)}_${count++}`;
