import { consoleSql, type Sql } from '../../db/client.ts';
import { NEWEST_MIGRATION } from '../../db/newest-migration.ts';
import { lastMigration } from '../../db/queries/schema_migrations/last-migration.ts';
import { DatabaseError } from '../errors.ts';

export type Check = { name: 'database' | 'schema'; ok: boolean; why?: string };
export type Readiness = { status: 'ready' | 'not_ready'; checks: Check[] };

/** Whether this process can serve: the database answers and has the schema that this build was made for. */
export async function readiness(sql: Sql = consoleSql()): Promise<Readiness> {
  const checks = await look(sql);
  return { status: checks.every((check) => check.ok) ? 'ready' : 'not_ready', checks };
}

async function look(sql: Sql): Promise<Check[]> {
  try {
    const name = await lastMigration(sql);
    if (name === NEWEST_MIGRATION) {
      return [
        { name: 'database', ok: true },
        { name: 'schema', ok: true },
      ];
    }
    const why = `the database is at ${name ?? 'no migration'}, this build needs ${NEWEST_MIGRATION}`;
    return [
      { name: 'database', ok: true },
      { name: 'schema', ok: false, why },
    ];
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const answered = error.kind === 'defect' || error.kind === 'denied';
    return [
      answered ? { name: 'database', ok: true } : { name: 'database', ok: false, why: error.message },
      { name: 'schema', ok: false, why: answered ? error.message : 'not known without the database' },
    ];
  }
}
