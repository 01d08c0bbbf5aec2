import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { foreignEnvironment } from '../../env.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const STAMP = path.join(root, '.next/replay-desk.stamp');

/** Everything that the built console is made from. */
const SOURCES = [
  'package-lock.json',
  'next.config.ts',
  'postcss.config.mjs',
  'tsconfig.json',
  'proxy.ts',
  'instrumentation.ts',
  'instrumentation-node.ts',
  'app',
  'components',
  'db',
  'lib',
  'public',
];
const PROGRESS_SECONDS = 10;

/**
 * Builds the console unless the last build was made from the same sources by the same Node. Says when it builds and,
 * every 10 s, that it still does. Refuses with the build's own words when it fails; `signal` ends it.
 */
export async function ensureBuild(announce: (message: string) => void, signal?: AbortSignal): Promise<void> {
  const wanted = fingerprint();
  if (existsSync(path.join(root, '.next/BUILD_ID')) && readStamp() === wanted) return;
  rmSync(STAMP, { force: true });
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1_000);
  announce('building the console (the first time and after a change)');
  const progress = setInterval(() => announce(`still building (${seconds()} s)`), PROGRESS_SECONDS * 1_000);
  try {
    await build(signal);
  } finally {
    clearInterval(progress);
  }
  writeFileSync(STAMP, wanted);
  announce(`built in ${seconds()} s`);
}

function build(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(root, 'node_modules/next/dist/bin/next'), 'build'], {
      cwd: root,
      env: { ...foreignEnvironment(), NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a group of its own, so that its workers can be ended with it
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const abort = () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    signal?.addEventListener('abort', abort, { once: true });
    child.once('error', reject);
    child.once('close', (code) => {
      signal?.removeEventListener('abort', abort);
      if (code === 0) return resolve();
      const complaint = signal?.aborted === true ? 'The build was stopped.' : `${output}\nThe build failed.`;
      return reject(new Error(complaint));
    });
  });
}

function readStamp(): string {
  return existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
}

function fingerprint(): string {
  const hash = createHash('sha256').update(process.version);
  const add = (relative: string) => {
    const absolute = path.join(root, relative);
    const stats = statSync(absolute, { throwIfNoEntry: false });
    if (stats === undefined || /\.test\.tsx?$/.test(relative)) return;
    if (!stats.isDirectory()) hash.update(`${relative}\0${stats.size}\0`).update(readFileSync(absolute));
    else for (const name of readdirSync(absolute).toSorted()) add(path.join(relative, name));
  };
  SOURCES.forEach(add);
  return hash.digest('hex');
}
