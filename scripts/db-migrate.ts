import { migrate } from '../db/migrate.ts';
import { migrationSettings } from '../db/migration-settings.ts';
import { need } from '../lib/env.ts';

/** Applies the migrations that are missing, as the owner (DATABASE_OWNER_URL). */
try {
  const applied = await migrate({
    ownerUrl: need('DATABASE_OWNER_URL'),
    settings: migrationSettings(),
    announce: (message) => console.log(message),
  });
  console.log(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.length}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
