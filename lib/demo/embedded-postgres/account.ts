import { spawnSync } from 'node:child_process';

/** The system account that Postgres runs under; `undefined` when it is our own. */
export type Account = { uid: number; gid: number } | undefined;

function lookUp(flag: '-u' | '-g'): number | undefined {
  const result = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
  return result.status === 0 ? Number(result.stdout) : undefined;
}

/**
 * Postgres refuses to run as root: then the system's `postgres` account is used, and made if it is missing.
 * Refuses, with what to do instead, when none can be made.
 */
export function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return undefined;
  if (lookUp('-u') === undefined) {
    const flags = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin'];
    spawnSync('useradd', [...flags, 'postgres']);
  }
  const uid = lookUp('-u');
  const gid = lookUp('-g');
  if (uid === undefined || gid === undefined) {
    throw new Error(
      'Postgres does not run as root, and the system account "postgres" could not be made. ' +
        'Start as an ordinary user, or set the DATABASE_*_URL settings to a Postgres of your own.',
    );
  }
  return { uid, gid };
}

/** Whether the account may walk to `path` (root's home, for one, is closed to everybody else). */
export function mayReach(account: Account, path: string): boolean {
  return account === undefined || spawnSync('test', ['-x', path], account).status === 0;
}
