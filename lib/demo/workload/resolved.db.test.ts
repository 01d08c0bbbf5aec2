import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { consoleSql, executorSql, type Sql } from '../../../db/client.ts';
import { testDatabase, type TestDatabase } from '../../../db/testing/test-database.ts';
import { startResolvedWatch } from './resolved.ts';

let database: TestDatabase;
let owner: Sql;
beforeAll(async () => {
  database = await testDatabase();
  owner = consoleSql(database.urls.superuser);
});
afterAll(() => database.drop());

const KEYS = ['acme:production:invoice-1:charge-card', 'acme:production:notice-{2}:send, "now"'] as const;

test('whoever waits for an operation is told when it is resolved, and nobody else', async () => {
  for (const key of KEYS)
    await owner`insert into public.tool_operations (tenant_id, environment, operation_key, tool_name, tool_version, request_fingerprint, status, case_at)
      values ('acme', 'production', ${key}, 'payments.charge', '1', 'sha256:00', 'unknown', now())`;
  const stop = new AbortController();
  const warn = vi.fn<(message: string, error?: unknown) => void>();
  const watch = startResolvedWatch(executorSql(database.urls.executor, { max: 1 }), stop.signal, warn);
  const told: string[] = [];
  const waits = KEYS.map((key) => watch.resolved('acme', key, stop.signal).then(() => told.push(key)));
  await owner`update public.tool_operations set status = 'applied', case_at = null where operation_key = ${KEYS[1]}`;
  await waits[1];
  expect(told).toEqual([KEYS[1]]);
  expect(warn).not.toHaveBeenCalled();
  stop.abort();
  await Promise.all([...waits, watch.ended]);
});
