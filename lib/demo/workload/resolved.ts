import type { Sql } from '../../../db/statement-client.ts';
import { jsonb } from '../../../db/jsonb.ts';
import { runDuty } from '../../workers/run-duty.ts';

/** Tells agents at once when a person has resolved what they wait for, so that they need not ask often. */
export type ResolvedWatch = {
  /** Settles once the operation is neither pending nor unknown any more, or `signal` is aborted. */
  resolved: (tenantId: string, key: string, signal: AbortSignal) => Promise<void>;
  /** Settles when the watch has ended, after `signal` of the start was aborted. */
  ended: Promise<void>;
};

const EVERY_MS = 2_000;
/** The newest; agents of older ones still look by themselves. */
const MOST = 1_000;

export function startResolvedWatch(
  sql: Sql,
  signal: AbortSignal,
  warn: (message: string, error?: unknown) => void,
): ResolvedWatch {
  const waiting = new Map<string, { tenantId: string; key: string; wake: () => void }>();

  const look = async () => {
    if (waiting.size === 0) return;
    const asked = [...waiting.values()].slice(-MOST).map(({ tenantId, key }) => [tenantId, key]);
    const rows = await sql<{ tenant_id: string; operation_key: string }[]>`
      select o.tenant_id, o.operation_key
        from jsonb_array_elements(${jsonb(sql, asked)}) asked
        join public.tool_operations o on o.tenant_id = asked->>0 and o.operation_key = asked->>1
       where o.status in ('applied', 'failed_permanent', 'approved_new_key')`;
    for (const row of rows) waiting.get(`${row.tenant_id} ${row.operation_key}`)?.wake();
  };

  return {
    resolved: (tenantId, key, until) =>
      new Promise((resolve) => {
        const id = `${tenantId} ${key}`;
        const wake = () => {
          waiting.delete(id);
          until.removeEventListener('abort', wake);
          resolve();
        };
        waiting.set(id, { tenantId, key, wake });
        if (until.aborted) wake();
        else until.addEventListener('abort', wake, { once: true });
      }),
    ended: runDuty({ name: 'resolved-watch', everyMs: EVERY_MS, work: look, signal, warn }),
  };
}
