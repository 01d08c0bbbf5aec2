import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { executorSql } from '../../db/client.ts';
import { testDatabase, type TestDatabase } from '../../db/testing/test-database.ts';
import { desklineControl, type DesklineControl } from '../demo/deskline/client.ts';
import { startDeskline, type Deskline } from '../demo/deskline/start-deskline.ts';
import { ticketsCreate } from '../demo/tools/tickets-create.ts';
import { createExecutor, postgresStore, type Executor, type OperationContext } from './index.ts';

let database: TestDatabase;
let deskline: Deskline;
let control: DesklineControl;
let dir: string;
let executor: Executor;
let fault: string | undefined;

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'deskline-'));
  [database, deskline] = await Promise.all([
    testDatabase(),
    startDeskline({ port: 0, dir, allowReset: true }),
  ]);
  control = desklineControl(deskline.url);
  executor = await createExecutor({
    store: postgresStore(executorSql(database.urls.executor)),
    tools: [ticketsCreate({ url: deskline.url, fault: () => fault })],
    authorize: async () => ({ allowed: true, policyVersion: '1' }),
    warn: (message, error) => console.warn(message, error),
  });
});
afterAll(async () => {
  await deskline.close();
  await database.drop();
  rmSync(dir, { recursive: true });
});
beforeEach(() => {
  fault = undefined;
});

let step = 0;
const context = (): OperationContext => ({
  tenantId: 'acme',
  environment: 'production',
  workflowId: 'run_1',
  stepId: `step_${step++}`,
  actor: { id: 'agent:planner' },
});
const args = {
  queue_id: 'support',
  subject: 'Refund request',
  body: 'A duplicate charge.',
  customer_id: 'cus_1',
};

describe('smoke', () => {
  test('first', async () => {
    const c = context();
    const first = await executor.execute('tickets.create', args, c);
    console.log(first);
    const second = await executor.execute('tickets.create', args, c);
    console.log(second);
    console.log(await executor.execute('tickets.create', { ...args, body: 'x' }, c));
    console.log(await control.effectsFor(first.operation_key));
    fault = 'commit_then_drop';
    const d = context();
    console.log(await executor.execute('tickets.create', args, d));
    console.log(await executor.reconcile());
    console.log(await executor.execute('tickets.create', args, d));
    expect(1).toBe(1);
  });
});
