import { Client } from 'pg';
import { executorSql } from '../../../db/client.ts';
import type { TestDatabase } from '../../../db/testing/test-database.ts';
import { postgresStore } from '../postgres-store.ts';
import type { Subject } from './store-subject.ts';

/** Every time that the store's rules read: let it pass, and all of them are that much further back. */
const TIMES: Record<string, readonly string[]> = {
  tool_operations: [
    'lease_until',
    'first_sent_at',
    'sent_at',
    'quiet_until',
    'attempt_ended_at',
    'next_attempt_at',
    'recover_until',
    'evidence_asked_at',
    'case_at',
    'created_at',
    'updated_at',
    'expires_at',
    'job_ended_at',
    'contradicted_at',
  ],
  tool_operation_events: ['at'],
  lookups: ['asked_at', 'answered_at'],
  approvals: ['valid_until'],
  connector_health: ['failing_since', 'failed_at', 'answered_at'],
};

/** The store over a database of the test's own. */
export async function postgresSubject(
  database: TestDatabase,
): Promise<Subject & { close: () => Promise<void> }> {
  const client = new Client({ connectionString: database.urls.superuser });
  await client.connect();
  let passed = 0;
  return {
    store: postgresStore(executorSql(database.urls.executor)),
    pass: async (seconds) => {
      passed += seconds;
      for (const [table, columns] of Object.entries(TIMES))
        await client.query(
          `update public.${table} set ${columns.map((name) => `${name} = ${name} - make_interval(secs => $1)`).join(', ')}`,
          [seconds],
        );
    },
    instant: (text, passedThen) => new Date(Date.parse(text) - (passed - passedThen) * 1_000).toISOString(),
    passed: () => passed,
    close: () => client.end(),
  };
}
