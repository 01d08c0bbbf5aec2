import postgres from 'postgres';
import { DEADLINE_MS, statementTimeoutMs, withDeadline } from './deadline.ts';
import { defect, mapDatabaseError } from './map-error.ts';

export type StatementOptions = {
  /** Connections at most. */
  max?: number;
  /** After it a call is rejected, whatever the server does. */
  deadlineMs?: number;
  applicationName?: string;
};

type Driver = ReturnType<typeof postgres>;

/**
 * A postgres.js client for single statements. It has no `begin` and no `reserve`: a backend that dies inside them
 * ends the process, and the statements after it commit on their own.
 */
export type Sql = Pick<Driver, 'json' | 'unsafe' | 'end'> & SqlTag;

type SqlTag = <T extends readonly (object | undefined)[] = postgres.Row[]>(
  template: TemplateStringsArray,
  ...parameters: readonly postgres.ParameterOrFragment<never>[]
) => postgres.PendingQuery<T>;

/**
 * Every awaited statement meets its deadline, and rejects with a `DatabaseError` only.
 * `?pgbouncer=true` in the URL is for a pooler in transaction mode: no prepared statements and no setting of the
 * session, so there the statement timeout comes from the role.
 */
export function statementClient(url: string, options: StatementOptions = {}): Sql {
  const { max = 8, deadlineMs = DEADLINE_MS, applicationName = 'replay-desk' } = options;
  const { href, pooled } = splitPooling(url);
  const driver: Driver = postgres(href, {
    max,
    prepare: !pooled,
    // asks the catalog for array types on each new connection and leaves nobody to hear it fail: a backend that dies
    // just then would end the process. Lists travel as jsonb.
    fetch_types: false,
    connect_timeout: Math.ceil(deadlineMs / 1_000),
    backoff: (retries: number) => Math.min(2 ** retries / 50, 1), // seconds: usable soon after the server is back
    connection: {
      application_name: applicationName,
      ...(pooled ? {} : { statement_timeout: statementTimeoutMs(deadlineMs) }),
    },
    onnotice: () => {},
  });

  const guarded = (made: unknown) => (made instanceof Promise ? guard(made as Pending, deadlineMs) : made);
  const tag = (...args: Parameters<Driver>) => guarded(driver(...args));
  return Object.assign(tag as unknown as SqlTag, {
    json: (value: postgres.JSONValue) => driver.json(value),
    unsafe: ((...args: Parameters<Driver['unsafe']>) => guarded(driver.unsafe(...args))) as Driver['unsafe'],
    end: (ending?: { timeout?: number }) => driver.end(ending),
  });
}

/** The URL without our own `pgbouncer` word, which the drivers would send to the server. */
export function splitPooling(url: string): { href: string; pooled: boolean } {
  const parsed = new URL(url);
  const pooled = parsed.searchParams.get('pgbouncer') === 'true';
  parsed.searchParams.delete('pgbouncer');
  return { href: parsed.href, pooled };
}

type Pending = postgres.PendingQuery<postgres.Row[]> & { state?: unknown };

/**
 * A statement starts when somebody waits for it, and may be a fragment of another until then: so the deadline is
 * put where the waiting begins. One that was not yet sent is taken back; one that was sent is left to the server's
 * own timeout, since on a pipelined connection a cancel could meet the statement after it.
 */
function guard(query: Pending, deadlineMs: number): Pending {
  const settle = query.then.bind(query);
  let outcome: Promise<postgres.RowList<postgres.Row[]>> | undefined;
  const wait = () =>
    (outcome ??= withDeadline(
      new Promise((resolve, reject) => {
        void settle(resolve, (error: unknown) => reject(mapDatabaseError(error) ?? defect(error)));
      }),
      deadlineMs,
      () => {
        if (query.state === null) query.cancel();
      },
    ));
  return Object.assign(query, {
    // oxlint-disable-next-line unicorn/no-thenable -- it is a promise already; this is where the waiting begins
    then: ((...handlers) => wait().then(...handlers)) as Pending['then'],
    catch: ((handler) => wait().catch(handler)) as Pending['catch'],
    finally: ((handler) => wait().finally(handler)) as Pending['finally'],
  });
}
