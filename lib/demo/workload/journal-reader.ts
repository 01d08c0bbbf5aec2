import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { journalFile, type Places } from './journal.ts';

/** What a command may read of a journal beside the running workload. */
export type JournalReading = {
  /** How many workers were killed so far, over all starts. */
  kills: number;
  places: Places;
};

/** Reads the journal below `dir`; undefined where no workload has got ready yet. */
export function readJournal(dir: string): JournalReading | undefined {
  const file = journalFile(dir);
  if (!existsSync(file)) return undefined;
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const places = db.prepare(`select value from facts where name = 'places'`).get();
    if (places === undefined) return undefined;
    return {
      kills: Number(db.prepare('select count(*) as kills from kills').get()?.['kills']),
      places: JSON.parse(String(places['value'])) as Places,
    };
  } finally {
    db.close();
  }
}
