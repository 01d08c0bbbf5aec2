import { createHash, randomBytes } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { mayReach, type Account } from './account.ts';
import { stopOrphan } from './postmaster.ts';

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);
const checkout = path.resolve(import.meta.dirname, '../../..');

/**
 * A folder below /var/tmp, one for each checkout, for what the postgres account cannot reach in place.
 * Everybody may write to /var/tmp, so a folder of that name that is not ours alone is refused.
 */
export function openRefuge(): string {
  const refuge = `/var/tmp/replay-desk-${shortHash(checkout)}`;
  mkdirSync(refuge, { recursive: true, mode: 0o755 });
  const { uid, mode } = lstatSync(refuge);
  if (!lstatSync(refuge).isDirectory() || uid !== process.getuid?.() || (mode & 0o022) !== 0) {
    throw new Error(`${refuge} belongs to somebody else. Remove it, or set DATA_DIR to an open folder.`);
  }
  return refuge;
}

/**
 * Makes `dir` (owned by `account`) and answers where Postgres can really live: `dir` itself, or a folder in the
 * refuge that `dir/elsewhere` points to. Removing `dir` therefore removes the data, as a person expects.
 */
export async function openHome(
  dir: string,
  account: Account,
  announce: (message: string) => void,
): Promise<string> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (account === undefined) return dir;
  chownSync(dir, account.uid, account.gid);
  if (mayReach(account, dir)) return dir;

  const pointer = path.join(dir, 'elsewhere');
  const target = readLink(pointer);
  if (target !== undefined) {
    mkdirSync(target, { recursive: true, mode: 0o700 });
    chownSync(target, account.uid, account.gid);
    return target;
  }
  const refuge = openRefuge();
  const prefix = `${shortHash(path.resolve(dir))}-`;
  for (const name of readdirSync(refuge).filter((entry) => entry.startsWith(prefix))) {
    await stopOrphan(path.join(refuge, name), announce);
    rmSync(path.join(refuge, name), { recursive: true, force: true });
  }
  const home = path.join(refuge, prefix + randomBytes(6).toString('hex'));
  mkdirSync(home, { mode: 0o700 });
  chownSync(home, account.uid, account.gid);
  symlinkSync(home, pointer);
  announce(`${dir} is closed to the postgres account: its data lives in ${home}`);
  return home;
}

function readLink(pointer: string): string | undefined {
  try {
    return readlinkSync(pointer);
  } catch {
    return undefined;
  }
}
