import { spawnSync, type SpawnSyncOptions } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { env, inherited } from '../lib/env.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The browser that tests drive: CHROMIUM_PATH, else one of the system, else Playwright's own; undefined if none. */
export function findChromium(): string | undefined {
  const chosen = env().CHROMIUM_PATH;
  if (chosen !== undefined) {
    if (!isExecutable(chosen)) throw new Error(`CHROMIUM_PATH is ${chosen}, which is not a program.`);
    return chosen;
  }
  const folders = (inherited('PATH')['PATH'] ?? '').split(path.delimiter);
  const system = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  return (
    [...system, ...MAC].find(isExecutable) ?? [chromium.executablePath()].find((file) => existsSync(file))
  );
}

/** Finds a browser or gets one: Debian's package when root, else Playwright's download. Refuses with what to do. */
export function ensureChromium(announce: (message: string) => void): string {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    announce('no browser found: installing the system package chromium');
    const quiet: SpawnSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] };
    spawnSync('apt-get', ['update', '-qq'], quiet);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet);
  } else {
    announce("no browser found: downloading Playwright's");
    spawnSync('node_modules/.bin/playwright', ['install', 'chromium'], { stdio: 'inherit' });
  }
  const installed = findChromium();
  if (installed !== undefined) return installed;
  throw new Error('There is no Chromium to test with. Install one, or set CHROMIUM_PATH to its program.');
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
