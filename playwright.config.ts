import { statfsSync } from 'node:fs';
import { defineConfig, devices } from '@playwright/test';
import { env } from './lib/env.ts';
import { findChromium } from './scripts/chromium.ts';

const port = env().E2E_PORT;
const executablePath = findChromium();

/** Containers often give /dev/shm 64 MB, where Chromium's pages crash. */
function isSharedMemorySmall(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize < 256 * 1024 * 1024;
  } catch {
    return false;
  }
}

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  forbidOnly: true,
  retries: 0,
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    baseURL: `http://localhost:${port}`,
    viewport: { width: 1440, height: 900 },
    actionTimeout: 20_000,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      chromiumSandbox: process.getuid?.() !== 0,
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-domain-reliability',
        '--disable-sync',
        '--no-first-run',
        ...(isSharedMemorySmall() ? ['--disable-dev-shm-usage'] : []),
      ],
    },
  },
  // the whole product, as `npm start` starts it, on ports and data of its own
  webServer: {
    command: 'exec node scripts/start.ts',
    url: `http://localhost:${port}/api/health/ready`,
    env: {
      PORT: String(port),
      OIDC_PORT: String(port + 1),
      DESKLINE_PORT: String(port + 2),
      PG_PORT: String(port + 3),
      DATA_DIR: '.data/e2e', // made afresh by npm run e2e
      NEXTAUTH_URL: '',
    },
    stdout: 'pipe',
    timeout: 300_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
  },
});
