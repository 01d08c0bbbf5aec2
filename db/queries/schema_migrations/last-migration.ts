import type { Sql } from '../../client.ts';

/** The name of the last migration that the database has; null if it was never migrated. */
export async function lastMigration(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    select name from app.schema_migrations order by name desc limit 1`;
  return row?.name ?? null;
}
