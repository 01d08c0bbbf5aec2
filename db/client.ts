import { withDeadline } from './deadline.ts';
import { need } from '../lib/env.ts';
import { scopedClient, type ScopedRead } from './scoped-client.ts';
import { statementClient, type Sql, type StatementOptions } from './statement-client.ts';

export type { Reads, Scope, ScopedRead } from './scoped-client.ts';
export type { Sql } from './statement-client.ts';

/**
 * The only place that opens a connection. postgres.js for every single statement, pg for scoped reads, which need a
 * transaction. Clients are kept by URL on `globalThis`, so that a hot reload does not open a second pool.
 */

type Kept = { end: () => Promise<void> };
const KEPT = Symbol.for('replay-desk.database-clients');
const shared = globalThis as unknown as { [KEPT]?: Map<string, Kept> };
const kept: Map<string, Kept> = (shared[KEPT] ??= new Map<string, Kept>());

function keep<Client extends Kept>(name: string, make: () => Client): Client {
  const known = kept.get(name) as Client | undefined;
  const client = known ?? make();
  kept.set(name, client);
  return client;
}

/** Single statements of executor and workers; each one binds tenant and environment itself. */
export function executorSql(
  url: string = need('DATABASE_EXECUTOR_URL'),
  options: StatementOptions = {},
): Sql {
  const settings = { applicationName: 'replay-desk executor', ...options };
  return keep(`executor ${url} ${JSON.stringify(settings)}`, () => statementClient(url, settings));
}

/** Single statements of the console: calls of definer functions. What it reads of tenants goes through `scopedRead`. */
export function consoleSql(url: string = need('DATABASE_CONSOLE_URL'), options: StatementOptions = {}): Sql {
  const settings = { applicationName: 'replay-desk console', ...options };
  return keep(`console ${url} ${JSON.stringify(settings)}`, () => statementClient(url, settings));
}

/** Single statements of the owner, for commands that a person runs. */
export function ownerSql(url: string = need('DATABASE_OWNER_URL'), options: StatementOptions = {}): Sql {
  const settings = { applicationName: 'replay-desk owner', ...options };
  return keep(`owner ${url} ${JSON.stringify(settings)}`, () => statementClient(url, settings));
}

/** Scoped reads on a database of the caller's choice. */
export function scopedReadOn(url: string, options: StatementOptions = {}): ScopedRead {
  const settings = { applicationName: 'replay-desk reads', ...options };
  return keep(`scoped ${url} ${JSON.stringify(settings)}`, () => scopedClient(url, settings)).read;
}

/**
 * Runs `read` in a read-only transaction of the console's role that sees the rows of `scopes` and no other. Without
 * scopes every query answers no rows and the database is not asked. Rejects with a `DatabaseError`, or with what
 * `read` itself threw.
 */
export const scopedRead: ScopedRead = (scopes, read) =>
  scopedReadOn(need('DATABASE_CONSOLE_URL'))(scopes, read);

/** Ends every client of this process, running statements first, within `graceMs`. */
export async function closeClients(graceMs = 3_000): Promise<void> {
  const clients = [...kept.values()];
  kept.clear();
  await withDeadline(Promise.allSettled(clients.map((client) => client.end())), graceMs).catch(() => {});
}
