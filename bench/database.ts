import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate } from '../db/migrate.ts';
import { prepareDatabase, type RoleUrls } from '../db/prepare-database.ts';
import { startPostgres } from '../lib/demo/embedded-postgres/start.ts';
import { freePort } from '../lib/demo/supervisor/port.ts';

const PASSWORDS = { owner: 'bench', console: 'bench', executor: 'bench', auditor: 'bench' };

export interface BenchDatabase {
  urls: RoleUrls & { superuser: string };
  close: () => Promise<void>;
}

/**
 * A Postgres of this run's own with every migration: the product's embedded one, fsync and synchronous_commit on.
 * Its data is removed at the end.
 */
export async function openDatabase(announce: (message: string) => void): Promise<BenchDatabase> {
  const folder = mkdtempSync(path.join(tmpdir(), 'replay-desk-bench-'));
  chmodSync(folder, 0o711); // lets the postgres account pass
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const postgres = await startPostgres({
      dir: path.join(folder, 'postgres'),
      port: await freePort(),
      log: path.join(folder, 'postgres.log'),
      announce,
    });
    const urls = await prepareDatabase({ superuserUrl: postgres.superuserUrl, passwords: PASSWORDS });
    await migrate({ ownerUrl: urls.owner });
    const superuser = new URL(postgres.superuserUrl);
    superuser.pathname = new URL(urls.owner).pathname;
    return {
      urls: { ...urls, superuser: superuser.href },
      close: async () => {
        await postgres.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
