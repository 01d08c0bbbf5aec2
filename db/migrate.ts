import { Client, DatabaseError } from 'pg';
import { MIGRATIONS_FOLDER, readMigrations, type Migration } from './migrations.ts';

export type MigrateOptions = {
  /** The owner's URL. Applications' roles own nothing and cannot migrate. */
  ownerUrl: string;
  folder?: string;
  /** Told the name of each migration before it runs. */
  announce?: (message: string) => void;
  /** Values that migrations read with `current_setting('app.…', true)`: what is adopted, who else writes. */
  settings?: Readonly<Record<`app.${string}`, string>>;
};

/** A migration that cannot or must not be applied; the message names the file. */
class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** Any fixed number: two starters at once take turns. The lock ends with its transaction, so a pooler may be between. */
const LOCK = 7_370_112;

/**
 * Applies what is missing, in name order, each migration in one transaction with its row in
 * `app.schema_migrations`, and answers the applied names. Safe to run from several processes at once.
 * Refuses when an applied migration's text has changed, when the database has one that this version does not
 * know, or when a missing one would come before an applied one.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { ownerUrl, folder = MIGRATIONS_FOLDER, announce = () => {}, settings = {} } = options;
  const migrations = readMigrations(folder);
  const client = new Client({ connectionString: ownerUrl, application_name: 'replay-desk migrate' });
  client.on('error', () => {}); // a lost connection also rejects the query that runs
  await client.connect();
  try {
    await inLockedTransaction(client, async () => {
      await client.query(CREATE_TABLE);
    });
    const applied: string[] = [];
    for (const migration of pending(migrations, await readApplied(client))) {
      announce(`migrating: ${migration.name}`);
      if (await apply(client, migration, settings)) applied.push(migration.name);
    }
    return applied;
  } finally {
    await client.end();
  }
}

const CREATE_TABLE = `
create schema if not exists app;
create table if not exists app.schema_migrations (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
);`;

type Applied = ReadonlyMap<string, string>;

async function readApplied(client: Client): Promise<Applied> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from app.schema_migrations',
  );
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

/** What is still to be applied; refuses a history that does not fit the files. */
function pending(migrations: readonly Migration[], applied: Applied): Migration[] {
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = [...applied.keys()].filter((name) => !known.has(name)).toSorted();
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database has ${unknown.join(', ')}, which this version does not know: a newer version migrated it.`,
    );
  }
  const last = [...applied.keys()].toSorted().at(-1) ?? '';
  return migrations.filter((migration) => {
    const checksum = applied.get(migration.name);
    if (checksum === undefined) {
      if (migration.name > last) return true;
      throw new MigrationError(
        `${migration.name} is new but comes before ${last}, which is applied. Rename it.`,
      );
    }
    if (checksum !== migration.sha256) {
      throw new MigrationError(
        `${migration.name} was changed after it was applied. Applied migrations are frozen: restore it and write a new one.`,
      );
    }
    return false;
  });
}

/** False when another process applied it while this one waited for the lock. */
async function apply(
  client: Client,
  migration: Migration,
  settings: Readonly<Record<string, string>>,
): Promise<boolean> {
  try {
    return await inLockedTransaction(client, async () => {
      if (pending([migration], await appliedUnder(client, migration.name)).length === 0) return false;
      for (const [name, value] of Object.entries(settings)) {
        await client.query('select set_config($1, $2, true)', [name, value]);
      }
      // waiting for a table makes everybody else queue behind us: better to fail and be started again
      await client.query(`set local lock_timeout = '15s'`);
      await client.query(migration.sql);
      await client.query('insert into app.schema_migrations (name, sha256) values ($1, $2)', [
        migration.name,
        migration.sha256,
      ]);
      return true;
    });
  } catch (error) {
    if (error instanceof MigrationError || !(error instanceof Error)) throw error;
    throw new MigrationError(`${migration.name}${lineOf(error, migration.sql)} failed: ${error.message}`, {
      cause: error,
    });
  }
}

async function appliedUnder(client: Client, name: string): Promise<Applied> {
  const all = await readApplied(client);
  return new Map([...all].filter(([other]) => other === name));
}

async function inLockedTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {}); // the first error says more
    throw error;
  }
}

function lineOf(error: Error, sql: string): string {
  if (!(error instanceof DatabaseError) || error.position === undefined) return '';
  return `, line ${sql.slice(0, Number(error.position)).split('\n').length},`;
}
