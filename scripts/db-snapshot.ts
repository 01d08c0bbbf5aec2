import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { migrate } from '../db/migrate.ts';
import { asSuperuser, prepareDatabase } from '../db/prepare-database.ts';
import { schemaSnapshot } from '../db/schema-snapshot.ts';
import { startTemporaryCluster } from '../db/testing/temporary-cluster.ts';

/**
 * Writes `db/schema.snapshot.sql` from the migrations, on a Postgres of its own.
 * With `--check` it only compares, prints the lines that differ and exits with 1.
 */
const file = path.resolve(import.meta.dirname, '../db/schema.snapshot.sql');
const passwords = { owner: 'snapshot', console: 'snapshot', executor: 'snapshot', auditor: 'snapshot' };

const SHOWN_LINES = 40;

async function takeSnapshot(): Promise<string> {
  const { superuserUrl, stop } = await startTemporaryCluster();
  try {
    const { owner } = await prepareDatabase({ superuserUrl, passwords });
    await migrate({ ownerUrl: owner });
    return await asSuperuser(superuserUrl, schemaSnapshot, 'replay_desk');
  } finally {
    await stop();
  }
}

function readStored(): string {
  try {
    return readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return '';
  }
}

const snapshot = await takeSnapshot();
if (process.argv.includes('--check')) {
  const stored = readStored();
  if (stored !== snapshot) {
    const [before, after] = [stored.split('\n'), snapshot.split('\n')];
    const changes = [
      ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
      ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
    ];
    console.log(changes.slice(0, SHOWN_LINES).join('\n'));
    if (changes.length > SHOWN_LINES) console.log(`… and ${changes.length - SHOWN_LINES} more lines`);
    console.log(
      '\nThe migrations and db/schema.snapshot.sql differ. Run npm run db:snapshot and commit the result.',
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, snapshot);
  console.log(`wrote ${path.relative(process.cwd(), file)}`);
}
