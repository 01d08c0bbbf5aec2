import { spawn } from 'node:child_process';

export type StepResult = { ok: boolean; output: string; seconds: number };

/** Runs a program to its end. `echo` shows its output as it comes; otherwise it is kept for when the step fails. */
export function runStep(
  command: string,
  args: readonly string[],
  options: { env?: Record<string, string>; echo?: boolean; cwd?: string } = {},
): Promise<StepResult> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      // oxlint-disable-next-line node/no-process-env -- a tool that we run gets the environment that we were given
      env: { ...process.env, ...options.env },
      stdio: options.echo === true ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const stop = () => child.kill('SIGTERM');
    process.once('SIGTERM', stop);
    const end = (ok: boolean) => {
      process.off('SIGTERM', stop);
      resolve({ ok, output, seconds: (performance.now() - started) / 1_000 });
    };
    child.once('error', (error) => {
      output += error.message;
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });
}

/** The path of a program that npm installed. */
export const tool = (name: string): string => `node_modules/.bin/${name}`;
