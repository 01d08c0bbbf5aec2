import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { launchChild, type ChildSpec } from './child.ts';
import { isAlive } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'replay-desk-child-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function launch(program: string, changes: Partial<ChildSpec> = {}) {
  const file = path.join(folder, `${Math.random()}.mjs`);
  writeFileSync(file, program);
  return launchChild({
    name: 'probe',
    file,
    env: { NODE_ENV: 'test' },
    ready: /^ready/,
    readySeconds: 20,
    graceSeconds: 20,
    log: path.join(folder, 'probe.log'),
    ...changes,
  });
}
const STUBBORN = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready');`;

describe('launchChild', () => {
  test('one that does not end in its grace is killed, and the stop says so', async () => {
    const child = launch(STUBBORN, { graceSeconds: 0.2 });
    await child.ready;
    expect(await child.stop()).toBe(false);
    expect(await child.ended).toBe('SIGKILL');
  });

  test('one that never says that it is ready is ended and named', async () => {
    const child = launch(`setInterval(() => {}, 1000); console.log('still thinking');`, { readySeconds: 1 });
    await expect(child.ready).rejects.toThrow(/^probe did not start \(no sign of readiness in 1 s\)/);
    expect(await child.ended).toBe('SIGTERM');
  });

  test('a ready line that arrives in pieces counts, and all output is in the log', async () => {
    const child = launch(
      `process.stdout.write('rea'); setTimeout(() => process.stdout.write('dy now\\n'), 100); setInterval(() => {}, 1000);`,
    );
    await child.ready;
    await child.stop();
    await vi.waitFor(() =>
      expect(readFileSync(path.join(folder, 'probe.log'), 'utf8')).toContain('ready now'),
    );
  });

  test('what a child started and left running ends with it', async () => {
    const child = launch(
      `import { spawn } from 'node:child_process';
       const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
       console.log('left ' + left.pid); console.log('ready');`,
    );
    await child.ready;
    const left = await vi.waitFor(() => {
      const pid = /left (\d+)/.exec(readFileSync(path.join(folder, 'probe.log'), 'utf8'))?.[1];
      return pid === undefined ? Promise.reject(new Error('not written yet')) : Number(pid);
    });
    onTestFinished(() => child.kill());
    expect(isAlive(left)).toBe(true);
    await child.stop();
    await vi.waitFor(() => expect(isAlive(left)).toBe(false));
  });
});
