import { DATABASE_NAME } from '../db/prepare-database.ts';
import { env } from '../lib/env.ts';
import { databaseSql, rolesSql } from '../db/roles.ts';

/**
 * Prints the SQL that prepares a managed Postgres: the roles, the database, and what the database needs before the
 * first migration. Logins named in FOREIGN_WRITERS must exist
 * already. Replace the passwords before you run it as the service's administrator.
 */
const passwords = {
  owner: 'REPLACE-OWNER-PASSWORD',
  console: 'REPLACE-CONSOLE-PASSWORD',
  executor: 'REPLACE-EXECUTOR-PASSWORD',
  auditor: 'REPLACE-AUDITOR-PASSWORD',
};
console.log(`-- 1. connected to any database, as a role that may create roles and databases
${rolesSql(passwords, env().FOREIGN_WRITERS).trim()}

-- 2. on its own, outside a transaction
create database ${DATABASE_NAME} owner replay_owner encoding 'UTF8' template template0;

-- 3. connected to ${DATABASE_NAME}
${databaseSql(DATABASE_NAME).trim()}`);
