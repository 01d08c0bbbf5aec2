import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inherited } from '../../env.ts';
import type { Account } from './account.ts';
import { dataIn, passwordFileIn } from './postmaster.ts';

/** What Postgres's programs see of our environment: nothing of ours, and a fixed locale and time zone. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { NODE_ENV: 'production', ...inherited('PATH', 'SystemRoot', 'TEMP'), LC_ALL: 'C', TZ: 'UTC' };
}

function initdb(program: string, args: string[], home: string, account: Account): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...account,
      cwd: home,
      env: postgresEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`initdb failed (${code}): ${complaint.trim()}`));
    });
  });
}

/** Makes the cluster below `home` if there is none: UTF-8, the builtin C.UTF-8 locale, passwords by SCRAM. */
export async function initialise(options: {
  home: string;
  bin: string;
  account: Account;
  durable: boolean;
  announce: (message: string) => void;
}): Promise<void> {
  const { home, bin, account, durable, announce } = options;
  const data = dataIn(home);
  if (existsSync(path.join(data, 'PG_VERSION'))) return;
  announce('making a new Postgres cluster');
  const unfinished = `${data}.new`; // renamed at the end: a killed initdb never looks like a cluster
  rmSync(unfinished, { recursive: true, force: true });
  const passwordFile = passwordFileIn(home);
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (account !== undefined) chownSync(passwordFile, account.uid, account.gid);
  const args = ['-D', unfinished, '-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const sync = durable ? [] : ['--no-sync'];
  await initdb(path.join(bin, 'initdb'), [...args, ...locale, ...sync, '--no-instructions'], home, account);
  renameSync(unfinished, data);
}
