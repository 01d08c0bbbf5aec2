import { escapeIdentifier, escapeLiteral } from 'pg';

/** The database roles. Each login has a URL of its own; the definer owns the definer functions and cannot log in. */
export const ROLE_NAMES = {
  owner: 'replay_owner',
  console: 'replay_console',
  executor: 'replay_executor',
  auditor: 'replay_auditor',
  definer: 'replay_definer',
} as const;

export type LoginRole = Exclude<keyof typeof ROLE_NAMES, 'definer'>;
export const LOGIN_ROLES = ['owner', 'console', 'executor', 'auditor'] as const satisfies LoginRole[];
export type RolePasswords = Readonly<Record<LoginRole, string>>;

/** Makes the roles of a cluster and sets their passwords; may be run again. Runs as a role that may create roles. */
export function rolesSql(passwords: RolePasswords): string {
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
  return [...logins, make(ROLE_NAMES.definer, 'nologin'), `grant replay_definer to replay_owner;`].join('\n');
}

/** What a database of ours needs inside before the first migration; may be run again. */
export function databaseSql(database: string): string {
  const name = escapeIdentifier(database);
  return `
revoke all on database ${name} from public;
grant connect on database ${name} to replay_console, replay_executor, replay_auditor;
alter schema public owner to replay_owner;
revoke create on schema public from public;
create schema if not exists app authorization replay_owner;`;
}
