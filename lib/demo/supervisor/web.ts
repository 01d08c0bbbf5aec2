import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildSpec } from './child.ts';

const next = path.resolve(import.meta.dirname, '../../../node_modules/next/dist/bin/next');

/** The console: the build served, or Next's development server. */
export function webSpec(options: {
  dev: boolean;
  host: string;
  port: number;
  env: Record<string, string>;
  log?: string;
}): ChildSpec {
  const { dev, host, port, env, log } = options;
  return {
    name: 'console',
    file: next,
    args: [dev ? 'dev' : 'start', '--port', String(port), '--hostname', host],
    env: { ...env, NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' },
    ready: /Ready in/,
    readySeconds: 60,
    graceSeconds: 10,
    ...(log === undefined ? {} : { log }),
  };
}

/** How long the first answer may take: the development server compiles what it is asked for. */
export const healthSeconds = (dev: boolean) => (dev ? 180 : 30);

/** Waits until the console itself says that it can work. Refuses with its own reason when it does not in time. */
export async function untilHealthy(port: number, seconds: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + seconds * 1_000;
  let reason = 'no answer';
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/api/health/ready`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(deadline - performance.now()))]),
      });
      if (answer.ok) return;
      reason = `${answer.status} ${(await answer.text()).slice(0, 300)}`;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
    await sleep(100);
  }
  throw new Error(`The console is up but not ready after ${seconds} s: ${reason}`);
}
