import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from '../processes.ts';
import { freePort } from '../port.ts';

const repository = path.resolve(import.meta.dirname, '../../../..');
const PORTS = ['PORT', 'OIDC_PORT', 'DESKLINE_PORT', 'PG_PORT'] as const;
type Ports = Record<(typeof PORTS)[number], string>;

/** A folder with a package.json of its own, in which `npm start` starts stand-ins on free ports. */
export async function standInProject() {
  const folder = mkdtempSync(path.join(tmpdir(), 'replay-desk-supervisor-'));
  chmodSync(folder, 0o711);
  const script = `exec node ${path.join(import.meta.dirname, 'start-stand-ins.ts')}`;
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts: { start: script } }));
  const numbers = await Promise.all(PORTS.map(freePort));
  const ports = Object.fromEntries(PORTS.map((name, index) => [name, String(numbers[index])])) as Ports;
  const dataDir = path.join(folder, 'data');
  return {
    folder,
    dataDir,
    ports,
    start: (env: Record<string, string> = {}) => npmStart(folder, { ...ports, DATA_DIR: dataDir, ...env }),
    /** The process ids of everything that this project started and that may still run. */
    pids: () => pidsIn(dataDir),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type NpmStart = ReturnType<typeof npmStart>;

function npmStart(cwd: string, env: Record<string, string>) {
  const PATH = `${path.join(repository, 'node_modules/.bin')}${path.delimiter}${process.env['PATH']}`;
  const npm = spawn('npm', ['start', '--silent'], {
    cwd,
    env: { PATH, HOME: process.env['HOME'], NODE_ENV: 'test', ...env },
    detached: true, // a process group of its own, as a terminal gives it
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const waiting = new Set<() => void>();
  const recheck = () => {
    const checks = [...waiting];
    waiting.clear();
    checks.forEach((check) => check());
  };
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      recheck();
    });
  }
  const ended = new Promise<number | null>((resolve) => {
    npm.once('close', (code) => {
      resolve(code);
      recheck();
    });
  });
  /** Settles when the output has `text`; refuses, showing the output, when npm ends before. */
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        const isOver = npm.exitCode !== null || npm.signalCode !== null;
        if (output.includes(text)) resolve();
        else if (isOver) reject(new Error(`ended, saying:\n${output}`));
        else waiting.add(check);
      };
      check();
    });
  return { pid: npm.pid ?? 0, ended, says, output: () => output, closeTerminal: () => npm.stdout.destroy() };
}

function pidsIn(dataDir: string): Record<string, number> {
  const found: Record<string, number> = {};
  const folder = path.join(dataDir, 'stand-ins');
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    found[path.basename(file, '.json')] = standInIn(dataDir, path.basename(file, '.json')).pid;
  }
  const postmaster = path.join(dataDir, 'postgres/data/postmaster.pid');
  if (existsSync(postmaster)) found['postgres'] = Number(readFileSync(postmaster, 'utf8').split('\n')[0]);
  const lock = path.join(dataDir, 'lock');
  if (existsSync(lock)) found['supervisor'] = (JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }).pid;
  return found;
}

/** What the stand-in called `name` noted when it started. */
export function standInIn(dataDir: string, name: string) {
  const note: unknown = JSON.parse(readFileSync(path.join(dataDir, 'stand-ins', `${name}.json`), 'utf8'));
  return note as { pid: number; env: Record<string, string> };
}

/** The names of those that still run. */
export function survivors(pids: Record<string, number>): string[] {
  return Object.keys(pids).filter((name) => isAlive(pids[name] ?? 0));
}
