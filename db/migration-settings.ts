import { env } from '../lib/env.ts';

/** What migrations read with `current_setting('app.…', true)`: an empty text where nothing is set. */
export function migrationSettings(): Record<`app.${string}`, string> {
  return {
    'app.adopt_environment': env().ADOPT_ENVIRONMENT ?? '',
  };
}
