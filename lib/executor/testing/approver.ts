import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Bench, Stored } from './bench.ts';

/** A person at the console, in a session of their own, who answers requests for approval. */
export type Approver = {
  userId: string;
  /** `version` is the one that the person saw; the row's own by default. */
  answer: (
    key: string,
    answer: 'approve' | 'deny',
    with_?: { reason?: string; version?: unknown; decision?: string },
  ) => Promise<Stored>;
  close: () => Promise<void>;
};

export async function openApprover(
  bench: Bench,
  name: string,
  role: 'approver' | 'operator' = 'approver',
): Promise<Approver> {
  const [user] = await bench.sql(
    `with u as (insert into public.users (name) values ($1) returning user_id)
     insert into public.grants (tenant_id, environment, user_id, role, granted_by)
     select 'acme', 'production', user_id, $2, 'test' from u returning user_id`,
    [name, role],
  );
  const userId = String(user?.['user_id']);
  const client = new Client({ connectionString: bench.database.urls.console });
  await client.connect();
  return {
    userId,
    answer: async (key, answer, { reason = 'Checked.', version, decision = randomUUID() } = {}) => {
      const { rows } = await client.query<{ said: Stored }>(
        `select app.decide_approval($1, 'acme', 'production', $2, $3, $4, $5, $6) as said`,
        [userId, key, version ?? (await bench.row(key))['version'], decision, answer, reason],
      );
      return rows[0]?.said ?? {};
    },
    close: () => client.end(),
  };
}

/** What people were asked about an operation and said, oldest first. */
export const approvalsOf = (bench: Bench, key: string): Promise<Stored[]> =>
  bench.sql('select * from public.approvals where operation_key = $1 order by requested_at', [key]);

/** The audit log's entries about an operation, oldest first. */
export const auditOf = async (bench: Bench, key: string): Promise<Stored[]> =>
  (
    await bench.sql(
      `select convert_from(body, 'UTF8')::jsonb as entry from public.audit_entries where operation_key = $1 order by sequence`,
      [key],
    )
  ).map(({ entry }) => entry as Stored);
