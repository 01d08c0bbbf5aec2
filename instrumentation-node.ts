import { authCookies } from './lib/auth/cookies.ts';
import { need } from './lib/env.ts';
import { logger } from './lib/logger.ts';
import { releaseDatabase } from './lib/services/release-database.ts';

const GRACE_MS = 1_000;

/** Refuses settings that no session can be kept safe with, and lets go of the database when the process is stopped. */
export function start(): void {
  const log = logger('web');
  try {
    authCookies(need('NEXTAUTH_URL'));
  } catch (error) {
    log.fatal(error instanceof Error ? error.message : 'the settings are not valid');
    process.exit(1); // Next would go on and answer every request with an error
  }
  log.info({ pid: process.pid }, 'started');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'stopping');
      // requests under way may still need the database; a process that ends sooner has closed everything anyway
      setTimeout(() => void releaseDatabase(), GRACE_MS).unref();
    });
  }
}
