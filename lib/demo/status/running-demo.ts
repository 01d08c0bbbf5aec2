import path from 'node:path';
import { roleUrls } from '../../../db/prepare-database.ts';
import { lockHolder } from '../supervisor/lock.ts';
import { loadSecrets } from '../supervisor/secrets.ts';
import { readJournal } from '../workload/journal-reader.ts';

/** Where the parts of a running demo are, and what its journal counts. */
export type RunningDemo = {
  auditorUrl: string;
  desklineUrl: string;
  workerKills: number;
};

/** Finds the demo that runs in `dataDir` by what it wrote there. Refuses with a sentence when none does. */
export function findRunningDemo(dataDir: string): RunningDemo {
  const folder = path.resolve(dataDir);
  const holder = lockHolder(folder);
  if (holder === undefined)
    throw new Error(
      `The demo is not running in ${folder}. Start it with \`npm start\`, or set DATA_DIR to its folder.`,
    );
  const journal = readJournal(path.join(folder, 'workload'));
  if (journal === undefined)
    throw new Error(
      `The demo on ${holder.url} (pid ${holder.pid}) is still starting. Ask again in a moment.`,
    );
  const { databaseHost, databaseName, desklineUrl } = journal.places;
  const urls = roleUrls(`postgres://${databaseHost}`, loadSecrets(folder).passwords, databaseName);
  return { auditorUrl: urls.auditor, desklineUrl, workerKills: journal.kills };
}
