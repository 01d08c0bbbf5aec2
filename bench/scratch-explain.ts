import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
const urls = JSON.parse(readFileSync('/tmp/bench-urls.json', 'utf8'));
const c = new pg.Client({ connectionString: urls.superuser });
let show = false;
c.on('notice', (n) => show && console.log(n.message));
await c.connect();
await c.query('set synchronous_commit=off');
const N = Number(process.argv[2] ?? 1),
  fn = process.argv[3] ?? 'claim_many';
let run = Math.floor(Math.random() * 1e6);
const rows = () => {
  const r = ++run;
  return Array.from({ length: N }, (_, i) => {
    const key = `acme:production:run_${r}_${i}:create_ticket`;
    return {
      tenant_id: 'acme',
      environment: 'production',
      operation_key: key,
      tool_name: 'tickets.create',
      tool_version: '2026-08-18',
      connector: 'd',
      deploy: null,
      request_fingerprint: 'sha256:' + randomUUID(),
      fingerprint_version: 1,
      request_redacted: { a: 1 },
      intent_event: null,
      business_reference: null,
      workflow_id: `run_${r}_${i}`,
      step_id: 'create_ticket',
      actor: 'agent:planner',
      lease_owner: 'bench',
      lease_token: randomUUID(),
      send: true,
      into: 'leased',
      approval_required: false,
      request_sealed: null,
      downstream_key: key,
      downstream_request_id: randomUUID(),
      trace: {},
    };
  });
};
const go = () =>
  c.query({ name: fn, text: `select app.${fn}($1::text::jsonb)::text`, values: [JSON.stringify(rows())] });
await c.query("load 'auto_explain'; set role replay_executor");
for (let i = 0; i < 300; i++) await go();
let t = performance.now();
for (let i = 0; i < 50; i++) await go();
console.log('per call ms', (performance.now() - t) / 50);
await c.query(
  `reset role; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on; set auto_explain.log_level=notice; set client_min_messages=notice; set auto_explain.log_buffers=off; set auto_explain.log_triggers=on; set role replay_executor`,
);
show = true;
await go();
await c.end();
