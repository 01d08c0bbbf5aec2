import { Client, escapeIdentifier } from 'pg';
import {
  databaseSql,
  LOGIN_ROLES,
  ROLE_NAMES,
  rolesSql,
  type LoginRole,
  type RolePasswords,
} from './roles.ts';

export const DATABASE_NAME = 'replay_desk';

export type RoleUrls = Record<LoginRole, string>;

/** Two starters must not make the same role at once: that fails in the catalog instead of waiting. */
const LOCK = 7_370_113;

/** Runs `work` on one connection as the cluster's superuser. */
export async function asSuperuser<T>(
  superuserUrl: string,
  work: (client: Client) => Promise<T>,
  database?: string,
): Promise<T> {
  const connectionString = database === undefined ? superuserUrl : withPath(superuserUrl, database);
  const client = new Client({ connectionString, application_name: 'replay-desk prepare' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Makes the roles with these passwords and the empty database if it is missing; may be run again. */
export async function prepareDatabase(options: {
  superuserUrl: string;
  passwords: RolePasswords;
  database?: string;
  /** Login roles of other executors that go on writing the shared table. */
  foreignWriters?: readonly string[];
}): Promise<RoleUrls> {
  const { superuserUrl, passwords, database = DATABASE_NAME, foreignWriters = [] } = options;
  await asSuperuser(superuserUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(rolesSql(passwords, foreignWriters));
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) {
      await client.query(
        `create database ${escapeIdentifier(database)} owner ${ROLE_NAMES.owner} encoding 'UTF8' template template0`,
      );
    }
  });
  await asSuperuser(superuserUrl, (client) => client.query(databaseSql(database)), database);
  return roleUrls(superuserUrl, passwords, database);
}

/** The URL of each login role for a database of the cluster that `clusterUrl` points to. */
export function roleUrls(clusterUrl: string, passwords: RolePasswords, database: string): RoleUrls {
  const urlOf = (role: LoginRole) => {
    const url = new URL(withPath(clusterUrl, database));
    url.username = ROLE_NAMES[role];
    url.password = encodeURIComponent(passwords[role]);
    return url.href;
  };
  return Object.fromEntries(LOGIN_ROLES.map((role) => [role, urlOf(role)])) as RoleUrls;
}

function withPath(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}
