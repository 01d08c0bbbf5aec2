import postgres from 'postgres';
import { median, runRound } from './measure.ts';
import { newIds } from './works.ts';

export interface GrowthRow {
  rows: number;
  per_second: number;
}

const CONCURRENCY = 64;
const BATCH = 200_000;

/** First calls for so many short rounds at 64 concurrent callers; calls per second, the median. */
export async function measureGrowth(
  rows: number,
  call: (workflowId: string) => Promise<void>,
  options: { turns: number; roundMs: number },
): Promise<GrowthRow> {
  const rates: number[] = [];
  for (let turn = -1; turn < options.turns; turn++) {
    const idOf = newIds();
    const { calls, seconds } = await runRound(CONCURRENCY, options.roundMs, (n) => call(idOf(n)));
    if (turn >= 0) rates.push(calls / seconds);
  }
  return { rows, per_second: Math.round(median(rates)) };
}

/**
 * Applied operations of earlier months, each with its two rows of trace, made from one that the executor made: set-based,
 * with every index kept.
 */
export async function fillTable(
  superuserUrl: string,
  rows: number,
  announce: (message: string) => void,
): Promise<void> {
  const sql = postgres(superuserUrl, { max: 1, onnotice: () => {} });
  try {
    const startedAt = performance.now();
    for (let done = 0; done < rows; done += BATCH) {
      const last = Math.min(done + BATCH, rows);
      await sql`
        with model as (select o from public.tool_operations o where status = 'applied' limit 1)
        insert into public.tool_operations
        select r.* from model, generate_series(${done + 1}::bigint, ${last}::bigint) n,
        lateral jsonb_populate_record(o, jsonb_build_object(
          'operation_key', 'acme:production:fill_' || lpad(n::text, 9, '0') || ':create_ticket',
          'downstream_key', 'acme:production:fill_' || lpad(n::text, 9, '0') || ':create_ticket',
          'workflow_id', 'fill_' || lpad(n::text, 9, '0'), 'effect_reference', 'ticket_' || gen_random_uuid(),
          'request_fingerprint', 'sha256:' || encode(sha256(int8send(n)), 'hex'),
          'created_at', (o).created_at - interval '90 days' + n * interval '0.1 seconds',
          'updated_at', (o).updated_at - interval '90 days' + n * interval '0.1 seconds')) r`; // lateral: as (f()).* it would be called for each column
      await sql`
        insert into public.tool_operation_events (tenant_id, environment, operation_key, at, kind, steps, from_status, to_status,
          attempt, version, actor, worker)
        select 'acme', 'production', 'acme:production:fill_' || lpad(n::text, 9, '0') || ':create_ticket',
          now() - interval '90 days', kind, '[{"step": "authorized", "ms_ago": 0.2}, {"step": "sent", "ms_ago": 0}]',
          null, 'applied', 1, 2, 'agent:planner', 'bench'
        from generate_series(${done + 1}::bigint, ${last}::bigint) n, (values ('fill_claim'), ('fill_apply')) k (kind)`;
      announce(`${last} rows after ${Math.round((performance.now() - startedAt) / 1000)} s`);
    }
    await sql`analyze public.tool_operations`;
    await sql`analyze public.tool_operation_events`;
    await sql`checkpoint`;
  } finally {
    await sql.end();
  }
}
