import { statementClient } from '../../../db/statement-client.ts';

/** What the record says. */
export type RecordCounts = {
  by_status: Record<string, number>;
  /** Pending operations that have become a person's work. */
  stuck_pending: number;
  cases_open: number;
  replays: number;
  rejected: Record<string, number>;
  decisions: number;
};

/** Counts over every tenant; `url` is the auditor's. */
export async function readCounts(url: string): Promise<RecordCounts> {
  const sql = statementClient(url, { max: 1, applicationName: 'replay-desk demo:status' });
  try {
    const [row] = await sql<RecordCounts[]>`
      with operations as (
        select status, count(*)::int as n, (count(*) filter (where case_at <= clock_timestamp()))::int as cases
          from public.tool_operations group by status
      ), deliveries as (
        -- a delivery that wrote the record itself has that event for its row
        select case kind when 'replayed' then 'replayed' else 'rejected' end as kind,
          case kind when 'release' then 'not_sent' else coalesce(detail->>'reason', reason, 'none') end as reason,
          count(*)::int as n
          from public.tool_operation_events where kind in ('replayed', 'rejected', 'refuse', 'release') group by 1, 2
      )
      select
        coalesce((select jsonb_object_agg(status, n) from operations), '{}') as by_status,
        coalesce((select sum(cases) from operations where status = 'pending'), 0)::int as stuck_pending,
        coalesce((select sum(cases) from operations), 0)::int as cases_open,
        coalesce((select sum(n) from deliveries where kind = 'replayed'), 0)::int as replays,
        coalesce((select jsonb_object_agg(reason, n) from deliveries where kind = 'rejected'), '{}') as rejected,
        (select count(*) from public.decisions where state in ('recorded', 'approved'))::int as decisions`;
    if (row === undefined) throw new Error('the database answered nothing');
    return row;
  } finally {
    await sql.end({ timeout: 2 });
  }
}
