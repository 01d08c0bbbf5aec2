import { expect, test } from 'vitest';
import { readMigrations } from './migrations.ts';
import { NEWEST_MIGRATION } from './newest-migration.ts';

test('the newest migration that a build names is the newest in drizzle/', () => {
  expect(NEWEST_MIGRATION).toBe(readMigrations().at(-1)?.name);
});
