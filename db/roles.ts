import { escapeIdentifier, escapeLiteral } from 'pg';

/** The database roles. Each login has a URL of its own; the definer owns the definer functions and cannot log in. */
export const ROLE_NAMES = {
  owner: 'replay_owner',
  console: 'replay_console',
  executor: 'replay_executor',
  auditor: 'replay_auditor',
  definer: 'replay_definer',
  /** A group: logins of other executors that go on writing the shared table are its members. */
  foreignWriter: 'replay_foreign_writer',
} as const;

export type LoginRole = Exclude<keyof typeof ROLE_NAMES, 'definer' | 'foreignWriter'>;
export const LOGIN_ROLES = ['owner', 'console', 'executor', 'auditor'] as const satisfies LoginRole[];
export type RolePasswords = Readonly<Record<LoginRole, string>>;

/** Makes the roles of a cluster and sets their passwords; may be run again. Runs as a role that may create roles. */
export function rolesSql(passwords: RolePasswords, foreignWriters: readonly string[] = []): string {
  const make = (name: string, ability: 'login' | 'nologin') => `
do $$ begin
  if not exists (select from pg_roles where rolname = ${escapeLiteral(name)}) then
    create role ${escapeIdentifier(name)} ${ability};
  end if;
end $$;`;
  const logins = LOGIN_ROLES.map(
    (role) =>
      make(ROLE_NAMES[role], 'login') +
      `\nalter role ${escapeIdentifier(ROLE_NAMES[role])} password ${escapeLiteral(passwords[role])};`,
  );
  // the owner hands the definer functions over in migrations, for which it must be a member
  // a pooler in transaction mode keeps no setting of a session, so the deadline of a statement comes with the role
  const deadlines = (['console', 'executor', 'auditor'] as const).map(
    (role) => `alter role ${escapeIdentifier(ROLE_NAMES[role])} set statement_timeout = '10s';`,
  );
  return [
    ...logins,
    ...deadlines,
    make(ROLE_NAMES.definer, 'nologin'),
    make(ROLE_NAMES.foreignWriter, 'nologin'),
    `grant replay_definer to replay_owner;`,
    ...foreignWriters.map((role) => `grant replay_foreign_writer to ${escapeIdentifier(role)};`),
  ].join('\n');
}

/** What a database of ours needs inside before the first migration; may be run again. */
export function databaseSql(database: string): string {
  const name = escapeIdentifier(database);
  return `
revoke all on database ${name} from public;
grant connect on database ${name} to replay_console, replay_executor, replay_auditor, replay_foreign_writer;
grant connect, create on database ${name} to replay_owner;
alter schema public owner to replay_owner;
revoke create on schema public from public;
grant usage on schema public to replay_console, replay_executor, replay_auditor, replay_definer, replay_foreign_writer;
create schema if not exists app authorization replay_owner;
grant usage, create on schema app to replay_definer;
do $$ begin -- a table that an application made before us is adopted
  if to_regclass('public.tool_operations') is not null then
    alter table public.tool_operations owner to replay_owner;
  end if;
end $$;`;
}
