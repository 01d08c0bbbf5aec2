import { fork, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** A program of ours that runs beside the others, as a child of the supervisor. */
export type ChildSpec = {
  /** As it is called in messages. */
  name: string;
  /** The JavaScript or TypeScript file that node runs. */
  file: string;
  args?: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Matches the line that says it is ready. */
  ready: RegExp;
  readySeconds: number;
  /** How long it may take to end after SIGTERM, before SIGKILL. */
  graceSeconds: number;
  /** The file that its output goes to; without one it goes to our own terminal, for whoever collects that. */
  log?: string;
};

export type Child = {
  /** Settles when it says that it is ready; refuses with its last words when it ends before, or stays silent. */
  ready: Promise<void>;
  /** Settles when the process has ended, however it ended: "exit code 1", "SIGKILL". */
  ended: Promise<string>;
  /** Asks it to end, insists after the grace, and waits. False when it had to be killed. */
  stop: () => Promise<boolean>;
  kill: () => void;
};

const LOG_BYTES = 5 * 1024 * 1024;
const LAST_LINES = 8;
const dieWithParent = pathToFileURL(path.join(import.meta.dirname, 'die-with-parent.ts')).href;

/**
 * Starts a child in a process group of its own: Ctrl-C reaches the supervisor alone, which stops things in order,
 * and whatever the child started can be ended with it.
 */
export function launchChild(spec: ChildSpec): Child {
  const child = fork(spec.file, spec.args ?? [], {
    execArgv: ['--import', dieWithParent],
    env: spec.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const kill = () => killGroup(child);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      kill(); // what it started and did not end itself
      resolve(signal ?? `exit code ${code}`);
    });
  });
  const output = watchOutput(child, spec);
  const stop = async () => {
    if (child.pid === undefined) return true;
    child.kill('SIGTERM');
    const inTime = await within(spec.graceSeconds, ended);
    if (!inTime) kill();
    await ended;
    return inTime;
  };
  const becomeReady = async () => {
    const silent = `no sign of readiness in ${spec.readySeconds} s`;
    const inTime = await within(spec.readySeconds, Promise.race([output.ready, ended]));
    const trouble = output.isReady() ? undefined : inTime ? await ended : silent;
    if (trouble === undefined) return;
    await stop();
    const words = output.lastLines().map((line) => `    ${line}`);
    throw new Error([`${spec.name} did not start (${trouble})`, ...words].join('\n'));
  };
  const ready = becomeReady();
  ready.catch(() => {}); // whoever waits for it is told; nobody need wait for a child that is being stopped
  return { ready, ended, stop, kill };
}

async function within(seconds: number, event: Promise<unknown>): Promise<boolean> {
  const timeout = new AbortController();
  const late = sleep(seconds * 1_000, false, { signal: timeout.signal }).catch(() => false);
  const inTime = await Promise.race([event.then(() => true), late]);
  timeout.abort();
  return inTime;
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // nobody of the group is left
  }
}

function watchOutput(child: ChildProcess, { ready, log }: ChildSpec) {
  const sink = log === undefined ? undefined : openLog(log);
  const last: string[] = [];
  let isReady = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    let partial = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      (sink ?? process.stdout).write(text);
      const lines = (partial + text).split('\n');
      partial = lines.pop() ?? '';
      last.push(...lines.filter((line) => line.trim() !== ''));
      last.splice(0, last.length - LAST_LINES);
      if (!lines.some((line) => ready.test(line))) return;
      isReady = true;
      resolve();
    });
  }
  child.once('close', () => sink?.end());
  return { ready: promise, isReady: () => isReady, lastLines: () => last };
}

/** Appends; a log that grew past 5 MB is put aside once, so that two files are the most there is. */
function openLog(file: string) {
  mkdirSync(path.dirname(file), { recursive: true });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES) renameSync(file, `${file}.1`);
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  stream.on('error', () => {}); // a full disk must not end the product
  return stream;
}
