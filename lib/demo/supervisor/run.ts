import { mkdirSync } from 'node:fs';
import { env, inherited } from '../../env.ts';
import { PERSONAS } from '../identity-provider/personas.ts';
import { ensureBuild } from './build.ts';
import type { ChildSpec } from './child.ts';
import { startDemo } from './demo.ts';
import { acquireLock } from './lock.ts';
import { chooseMode } from './mode.ts';
import { startProduction } from './production.ts';
import { loadSecrets } from './secrets.ts';
import { onStopRequest } from './signals.ts';
import { createSupervisor } from './supervisor.ts';
import { topologyOf } from './topology.ts';

export type RunOptions = {
  dev: boolean;
  /** For tests: what is built, and what runs in the place of each child. */
  build?: typeof ensureBuild;
  replace?: (spec: ChildSpec) => ChildSpec;
};

/** The whole life of `npm start`: from the settings to the last process ended. Ends this process itself. */
export async function run(options: RunOptions): Promise<void> {
  const { dev, build = ensureBuild, replace = (spec) => spec } = options;
  const announce = (message: string) => console.log(`[start] ${message}`);
  const supervisor = createSupervisor(announce);
  let release = () => {};

  const finish = async (exitCode: number) => {
    await supervisor.stop();
    release();
    process.exit(exitCode);
  };
  const giveUp = (reason: string) => {
    if (supervisor.stopping.aborted) return;
    console.error(`[start] ${reason}`);
    void finish(1);
  };
  onStopRequest({
    underNpm: inherited('npm_lifecycle_event')['npm_lifecycle_event'] !== undefined,
    stop: (exitCode) => {
      announce('stopping');
      void finish(exitCode);
    },
    hurry: () => {
      supervisor.killAll();
      release();
      process.exit(130);
    },
  });

  try {
    const settings = env();
    const parts = {
      settings,
      supervisor,
      runChild: (spec: ChildSpec) => supervisor.run(replace(spec)),
      dev,
      announce,
      build: (signal: AbortSignal) => (dev ? Promise.resolve() : build(announce, signal)),
    };
    if (chooseMode(settings) === 'production') {
      await startProduction(parts);
      console.log(`Replay Desk ready on ${settings.NEXTAUTH_URL}`);
      return;
    }
    const topology = topologyOf(settings);
    mkdirSync(topology.dataDir, { recursive: true });
    const lock = acquireLock(topology.dataDir, topology.consoleUrl);
    release = lock.release;
    const secrets = loadSecrets(topology.dataDir);
    await startDemo({ ...parts, topology, secrets, takenOver: lock.takenOver, giveUp });
    console.log(welcome(topology.consoleUrl, settings.DATA_DIR));
  } catch (error) {
    giveUp(error instanceof Error ? error.message : String(error));
  }
}

function welcome(url: string, dataDir: string): string {
  const width = Math.max(...PERSONAS.map(({ name }) => name.length));
  const personas = PERSONAS.map(({ name, summary }) => `    ${name.padEnd(width)}  ${summary}`);
  return [
    `Replay Desk ready on ${url}`,
    '',
    '  Sign in as',
    ...personas,
    '',
    `  Logs are in ${dataDir}/logs. Ctrl-C stops everything; the next start continues with the same data.`,
  ].join('\n');
}
