import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownerFileIn, stopOrphan } from '../../lib/demo/embedded-postgres/postmaster.ts';
import { isAlive } from '../../lib/demo/supervisor/processes.ts';
import { startPostgres } from '../../lib/demo/embedded-postgres/start.ts';
import { freePort } from '../../lib/demo/supervisor/port.ts';

const PREFIX = 'replay-desk-test-';

/**
 * A Postgres for one run, on a free port, whose data is removed when it stops. fsync is off, because nobody misses
 * a test's data after a power cut; nothing else differs from the product's.
 */
export async function startTemporaryCluster(): Promise<{ superuserUrl: string; stop: () => Promise<void> }> {
  await sweep();
  const folder = mkdtempSync(path.join(tmpdir(), PREFIX));
  chmodSync(folder, 0o711); // lets the postgres account pass, so that root's tests run in place
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const dir = path.join(folder, 'postgres');
  const log = path.join(folder, 'postgres.log');
  try {
    const postgres = await startPostgres({ dir, port: await freePort(), log, durable: false });
    const stop = async () => {
      await postgres.stop();
      remove();
    };
    return { superuserUrl: postgres.superuserUrl, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Ends and removes what earlier runs left that were killed. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const home = path.join(tmpdir(), name, 'postgres');
    if (!existsSync(ownerFileIn(home)) || isAlive(Number(readFileSync(ownerFileIn(home), 'utf8')))) continue;
    await stopOrphan(home, () => {});
    rmSync(path.dirname(home), { recursive: true, force: true });
  }
}
