import { readFileSync } from 'node:fs';
import { registerContract } from '../db/queries/tool_contracts/register-contract.ts';
import { closeClients, executorSql } from '../db/client.ts';
const urls = JSON.parse(readFileSync('/tmp/bench-urls.json', 'utf8'));
const sql = executorSql(urls.executor);
await registerContract(sql, {
  name: 'tickets.create',
  version: '2026-08-18',
  digest: 'sha256:aaaa',
  body: {},
  effect_class: 'key_based',
  lookup: 'authoritative',
  resend: 'keyed',
  delicate: false,
  key_window_seconds: 86400,
  call_budget_ms: 3000,
  settle_seconds: 1,
  recovery_seconds: 60,
  job_seconds: null,
  max_attempts: 3,
  backoff_seconds: 2,
  lease_seconds: 4,
  response_seconds: 3600,
  retention_seconds: 2592000,
  abandon_after_seconds: null,
  decision: 'automate',
  require_intent: 'on_sibling',
  sibling_window_seconds: 0,
  approval_valid_seconds: null,
  outage_seconds: 86400,
});
await closeClients();
