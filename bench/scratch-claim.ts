// CPU time of the backend per row, over batches
import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
const urls = JSON.parse(readFileSync('/tmp/bench-urls.json', 'utf8'));
const e = new pg.Client({ connectionString: process.env.EXPLAIN ? urls.superuser : urls.executor });
let show = false;
e.on('notice', (n) => show && console.log(n.message));
await e.connect();
await e.query('set synchronous_commit=off; set statement_timeout=20000');
if (process.env.SET) await e.query(process.env.SET);
if (process.env.EXPLAIN) await e.query(`load 'auto_explain'; set role replay_executor`);
const explain = () =>
  e.query(
    `reset role; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on; set auto_explain.log_level=notice; set client_min_messages=notice; set auto_explain.log_buffers=off; set auto_explain.log_triggers=on; set role replay_executor`,
  );
const N = Number(process.argv[2] ?? 64);
const pid = (await e.query('select pg_backend_pid() p')).rows[0].p;
const cpu = () => {
  const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(f[11]) + Number(f[12])) * 10_000;
};
let run = Math.floor(Math.random() * 1e6);
function rows(n: number): any[] {
  const r = ++run;
  return Array.from({ length: n }, (_, i) => {
    const key = `acme:production:run_${r}_${i}:create_ticket`;
    return {
      tenant_id: 'acme',
      environment: 'production',
      operation_key: key,
      into: 'leased',
      approval_required: false,
      tool_name: 'tickets.create',
      tool_version: '2026-08-18',
      connector: 'deskline.tickets',
      deploy: null,
      request_fingerprint: 'sha256:' + randomUUID().replaceAll('-', '') + randomUUID().replaceAll('-', ''),
      fingerprint_version: 1,
      request_redacted: {
        queue_id: 'support',
        subject: `Refund request ${i}`,
        body: 'The customer was charged twice for one order and asks for the second charge back.',
        customer_id: 'cus_••••',
      },
      request_sealed: null,
      intent_event: null,
      business_reference: null,
      workflow_id: `run_${r}_${i}`,
      step_id: 'create_ticket',
      actor: 'agent:planner',
      lease_owner: 'bench',
      lease_token: randomUUID(),
      send: true,
      downstream_key: key,
      downstream_request_id: randomUUID(),
      trace: {
        actor: 'agent:planner',
        worker: 'bench',
        steps: [
          { step: 'proposed', ms_ago: 0.312 },
          { step: 'validated', ms_ago: 0.212 },
          {
            step: 'authorized',
            detail: { phase: 'delivery', actor: 'agent:planner', policy: 'policy-1', allowed: true },
            ms_ago: 0.182,
          },
          { step: 'sent', ms_ago: 0.012 },
        ],
      },
    };
  });
}
const ends = (r: any[]) =>
  r.map((x) => ({
    tenant_id: x.tenant_id,
    environment: x.environment,
    operation_key: x.operation_key,
    lease_token: x.lease_token,
    effect_reference: 'ticket_' + randomUUID(),
    response: { id: 'ticket_' + randomUUID(), status: 'open' },
    trace: {
      actor: 'agent:planner',
      worker: 'bench',
      steps: [
        {
          step: 'authorized',
          detail: { phase: 'effect', actor: 'agent:planner', policy: 'policy-1', allowed: true },
          ms_ago: 0.2,
        },
        { step: 'acknowledged', ms_ago: 0.01 },
      ],
    },
  }));
const events = (r: any[]) =>
  r.map((x) => ({
    tenant_id: x.tenant_id,
    environment: x.environment,
    operation_key: x.operation_key,
    kind: 'replayed',
    trace: ends([x])[0]!.trace,
  }));
const q = (w: string, sql: string, r: any[]) => e.query({ name: w, text: sql, values: [JSON.stringify(r)] });
const ops: Record<string, (r: any[]) => Promise<any>> = {
  claim: (r) => q('claim', 'select app.claim($1::text::jsonb)::text', r),
  claim_many: (r) => q('claim_many', 'select app.claim_many($1::text::jsonb)::text', r),
  replay_claim: (r) =>
    q(
      'replay',
      'select app.claim_many($1::text::jsonb)::text',
      r.map((x) => ({ ...x, lease_token: randomUUID() })),
    ),
  transition: (r) => q('tr', `select app.transition('apply', $1::text::jsonb)::text`, ends(r)),
  transition_many: (r) => q('trm', `select app.transition_many('apply', $1::text::jsonb)::text`, ends(r)),
  add_events: (r) => q('ev', `select app.add_events($1::text::jsonb)::text`, events(r)),
  read: (r) =>
    q(
      'read',
      `select app.read_operations($1::text::jsonb)::text`,
      r.map(({ tenant_id, environment, operation_key }: any) => ({ tenant_id, environment, operation_key })),
    ),
};
const TOTAL = Number(process.argv[4] ?? Math.min(4000, N * 400));
const batches = Math.ceil(TOTAL / N);
for (const seq of (process.argv[3] ?? 'claim_many,transition_many').split('/')) {
  const all = Array.from({ length: batches + 10 }, () => rows(N));
  for (const w of seq.split(',')) {
    for (const r of all.slice(0, 10)) await ops[w]!(r);
    const a = cpu(),
      t = performance.now();
    for (const r of all.slice(10)) await ops[w]!(r);
    console.log(
      w.padEnd(20),
      N,
      ((cpu() - a) / batches / N).toFixed(1),
      'cpu us/row',
      (((performance.now() - t) * 1000) / batches / N).toFixed(1),
      'wall',
    );
    if (process.env.EXPLAIN === w) {
      const r = rows(N);
      if (w !== 'claim_many' && w !== 'claim') await ops['claim_many']!(r);
      await explain();
      show = true;
      await ops[w]!(r);
      show = false;
    }
  }
}
await e.end();
