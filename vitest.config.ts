import { configDefaults, defineConfig } from 'vitest/config';

const exclude = [...configDefaults.exclude, '.next/**', 'e2e/**', '.data/**'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...exclude, '**/*.db.test.ts', '**/*.process.test.ts'],
          testTimeout: 20_000, // a busy machine is not a failure
        },
      },
      {
        test: {
          name: 'db',
          include: ['**/*.db.test.ts'],
          exclude,
          globalSetup: ['db/testing/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        // real processes, ports and signals: slower, and told apart so that verify stays under a minute
        test: {
          name: 'process',
          include: ['**/*.process.test.ts'],
          exclude,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
