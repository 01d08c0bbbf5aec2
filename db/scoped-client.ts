import { drizzle, type NodePgClient, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Pool, type PoolClient } from 'pg';
import { DatabaseError } from '../lib/errors.ts';
import { logger } from '../lib/logger.ts';
import { DEADLINE_MS, statementTimeoutMs, withDeadline } from './deadline.ts';
import { mapDatabaseError } from './map-error.ts';
import { splitPooling, type StatementOptions } from './statement-client.ts';

/** One tenant in one environment: what a grant opens and what row-level security compares. */
export type Scope = { tenantId: string; environment: string };

/** The typed reads of one scoped, read-only transaction; dead once its callback has returned. */
export type Reads = NodePgDatabase;

/** Runs `read` in a read-only transaction that sees the rows of `scopes` and no other. */
export type ScopedRead = <T>(scopes: readonly Scope[], read: (reads: Reads) => Promise<T>) => Promise<T>;

const PAIR = '\u001f';
const LIST = '\u001e';
const SEPARATORS = [PAIR, LIST, '\u0000'];

/** The text that `app.scopes()` splits. Refuses a name that holds a separator: it could name another tenant. */
function scopeSetting(scopes: readonly Scope[]): string {
  const parts = scopes.flatMap((scope) => [scope.tenantId, scope.environment]);
  if (parts.some((part) => part === '' || SEPARATORS.some((separator) => part.includes(separator)))) {
    throw new DatabaseError('invalid', { message: 'a scope is empty or holds a control character' });
  }
  return scopes.map((scope) => `${scope.tenantId}${PAIR}${scope.environment}`).join(LIST);
}

/** Answers no rows: what somebody without any grant reads, without asking the database. */
const NOTHING = drizzle({
  query: async () => ({ rows: [], fields: [], rowCount: 0, command: 'SELECT', oid: 0 }),
} as unknown as NodePgClient);

/**
 * A pg pool for scoped reads. The settings are local to the transaction, so a pooler in transaction mode may stand
 * between. pg and not postgres.js: this wrapper is the one that kept its pool when backends were killed inside
 * transactions.
 */
export function scopedClient(
  url: string,
  options: StatementOptions = {},
): { read: ScopedRead; end: () => Promise<void> } {
  const { max = 8, deadlineMs = DEADLINE_MS, applicationName = 'replay-desk' } = options;
  const pool = new Pool({
    connectionString: splitPooling(url).href,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: deadlineMs,
  });
  const log = logger('database');
  // a lost connection is news and no accident: without a listener it would end the process
  const lost = (error: Error) => log.warn({ reason: mapDatabaseError(error)?.message }, 'connection lost');
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));

  const read: ScopedRead = async (scopes, work) => {
    if (scopes.length === 0) return work(NOTHING);
    const scope = scopeSetting(scopes);
    const hold: { client?: PoolClient; late?: DatabaseError } = {};
    const transaction = async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw mapDatabaseError(error) ?? error;
      });
      if (hold.late !== undefined) {
        client.release();
        throw hold.late;
      }
      hold.client = client;
      let bad: Error | undefined;
      try {
        await client.query(
          `begin read only; select set_config('app.scopes', ${client.escapeLiteral(scope)}, true), ` +
            `set_config('statement_timeout', '${statementTimeoutMs(deadlineMs)}', true)`,
        );
        const result = await work(drizzle(client));
        await client.query('commit');
        return result;
      } catch (error) {
        bad = error instanceof Error ? error : new Error('the read failed');
        throw mapDatabaseError(error) ?? error;
      } finally {
        if (hold.client !== undefined) client.release(bad); // with an error: closed, never used again
        delete hold.client;
      }
    };
    return withDeadline(transaction(), deadlineMs, () => {
      hold.late = new DatabaseError('deadline', { message: 'the caller stopped waiting' });
      const { client } = hold;
      delete hold.client;
      client?.release(hold.late);
    });
  };

  return { read, end: () => pool.end() };
}
