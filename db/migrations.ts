import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One named, forward-only migration. Its checksum is taken with `\n` line ends, whatever the checkout did to them. */
export type Migration = { name: string; sha256: string; sql: string };

export const MIGRATIONS_FOLDER = path.resolve(import.meta.dirname, '../drizzle');

const NAME = /^\d{4}_[a-z0-9_]+\.sql$/;

/** All migrations of `folder` in the order in which they are applied. Refuses a file that is not `NNNN_name.sql`. */
export function readMigrations(folder: string = MIGRATIONS_FOLDER): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  const numbers = new Map<string, string>();
  return names.map((name) => {
    const number = name.slice(0, 4);
    const twin = numbers.get(number);
    if (!NAME.test(name)) throw new Error(`${name} in ${folder} is not named NNNN_name.sql.`);
    if (twin !== undefined) throw new Error(`${twin} and ${name} have the same number. Give one another.`);
    numbers.set(number, name);
    const sql = readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}
