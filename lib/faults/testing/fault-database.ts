import { randomBytes } from 'node:crypto';
import { migrate } from '../../../db/migrate.ts';
import { prepareDatabase, type RoleUrls } from '../../../db/prepare-database.ts';
import { startTemporaryCluster } from '../../../db/testing/temporary-cluster.ts';

/** A Postgres of the run's own with every migration; removed when it stops. */
export async function startFaultDatabase(): Promise<{ urls: RoleUrls; stop: () => Promise<void> }> {
  const { superuserUrl, stop } = await startTemporaryCluster();
  const password = () => randomBytes(16).toString('hex');
  try {
    const urls = await prepareDatabase({
      superuserUrl,
      passwords: { owner: password(), console: password(), executor: password(), auditor: password() },
    });
    await migrate({ ownerUrl: urls.owner });
    return { urls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
