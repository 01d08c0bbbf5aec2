import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../../db/migrate.ts';
import { migrationSettings } from '../../../db/migration-settings.ts';
import { prepareDatabase, type RoleUrls } from '../../../db/prepare-database.ts';
import { foreignEnvironment, type Settings } from '../../env.ts';
import type { ChildSpec } from './child.ts';
import { assertPortFree, type NamedPort } from './port.ts';
import { runPostgres } from './postgres-service.ts';
import type { Secrets } from './secrets.ts';
import type { Supervisor } from './supervisor.ts';
import { untilHealthy, webSpec } from './web.ts';

/** Ports, addresses and folders of one demo. */
export type Topology = {
  dataDir: string;
  port: number;
  oidcPort: number;
  desklinePort: number;
  postgresPort: number;
  consoleUrl: string;
  issuer: string;
  desklineUrl: string;
};

/** Everything follows from PORT and DATA_DIR; each port can be moved on its own. */
export function topologyOf(settings: Settings): Topology {
  const port = settings.PORT;
  const oidcPort = settings.OIDC_PORT ?? port + 1;
  const desklinePort = settings.DESKLINE_PORT ?? port + 2;
  return {
    dataDir: path.resolve(settings.DATA_DIR),
    port,
    oidcPort,
    desklinePort,
    postgresPort: settings.PG_PORT ?? port + 3,
    consoleUrl: `http://localhost:${port}`,
    // another host than the console's: cookies ignore ports
    issuer: `http://127.0.0.1:${oidcPort}`,
    desklineUrl: `http://127.0.0.1:${desklinePort}`,
  };
}

/** The files that the demo's children run; tests put stand-ins here. */
export type Programs = Record<'identityProvider' | 'deskline' | 'workload', string> & {
  web: (options: Parameters<typeof webSpec>[0]) => ChildSpec;
};

const demo = path.resolve(import.meta.dirname, '..');
export const PROGRAMS: Programs = {
  identityProvider: path.join(demo, 'identity-provider/main.ts'),
  deskline: path.join(demo, 'deskline/main.ts'),
  workload: path.join(demo, 'workload/main.ts'),
  web: webSpec,
};

const CLIENT_ID = 'replay-desk';
/** How long the children of a run that was killed may hold their ports. */
const PATIENCE_MS = 8_000;

export type DemoOptions = {
  settings: Settings;
  topology: Topology;
  secrets: Secrets;
  supervisor: Supervisor;
  programs: Programs;
  /** Makes the build that is served; does nothing in development. */
  build: (signal: AbortSignal) => Promise<void>;
  dev: boolean;
  takenOver: boolean;
  announce: (message: string) => void;
  giveUp: (reason: string) => void;
};

/** Starts every part of the demo in order, each when what it needs is ready. */
export async function startDemo(options: DemoOptions): Promise<void> {
  const { topology, secrets, supervisor, announce, giveUp } = options;
  const logs = path.join(topology.dataDir, 'logs');
  mkdirSync(logs, { recursive: true });
  await assertPortsFree(topology, options.takenOver ? PATIENCE_MS : 0);

  const postgres = runPostgres({
    supervisor,
    start: {
      dir: path.join(topology.dataDir, 'postgres'),
      port: topology.postgresPort,
      log: path.join(logs, 'postgres.log'),
      announce,
    },
    announce,
    giveUp,
  });
  const prepared = postgres.then(async ({ superuserUrl }) => {
    const urls = await prepareDatabase({ superuserUrl, passwords: secrets.passwords });
    await migrate({ ownerUrl: urls.owner, settings: migrationSettings(), announce });
    return urls;
  });
  const [urls] = await Promise.all([prepared, options.build(supervisor.stopping)]);
  for (const spec of childSpecs(options, urls, logs)) await supervisor.run(spec);
  await untilHealthy(topology.port, 30, supervisor.stopping);
}

function childSpecs(options: DemoOptions, urls: RoleUrls, logs: string): ChildSpec[] {
  const { settings, topology, secrets, programs, dev } = options;
  const base = { ...foreignEnvironment(), LOG_LEVEL: settings.LOG_LEVEL, DATA_DIR: topology.dataDir };
  const oidc = {
    OIDC_ISSUER: topology.issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: secrets.oidcClientSecret,
    NEXTAUTH_URL: topology.consoleUrl,
  };
  const child = (
    name: string,
    file: string,
    env: Record<string, string>,
    args: string[] = [],
  ): ChildSpec => ({
    name,
    file,
    args,
    env: { ...base, ...env, NODE_ENV: 'production' },
    ready: new RegExp(`^\\[${name}\\] ready`),
    readySeconds: 60,
    graceSeconds: 8,
    log: path.join(logs, `${name}.log`),
  });
  return [
    child('identity-provider', programs.identityProvider, { ...oidc, OIDC_PORT: String(topology.oidcPort) }),
    child('deskline', programs.deskline, {}, [
      '--port',
      String(topology.desklinePort),
      '--data',
      path.join(topology.dataDir, 'deskline'),
    ]),
    child('workload', programs.workload, {
      DATABASE_EXECUTOR_URL: urls.executor,
      DESKLINE_URL: topology.desklineUrl,
    }),
    programs.web({
      dev,
      host: '127.0.0.1',
      port: topology.port,
      env: {
        ...base,
        ...oidc,
        NEXTAUTH_SECRET: secrets.nextauthSecret,
        DATABASE_CONSOLE_URL: urls.console,
        DATABASE_AUDITOR_URL: urls.auditor,
        DESKLINE_URL: topology.desklineUrl,
      },
      log: path.join(logs, 'console.log'),
    }),
  ];
}

/** All but Postgres's: an orphan of ours may hold that one, and its start knows how to tell. */
async function assertPortsFree(topology: Topology, patienceMs: number): Promise<void> {
  const wanted: NamedPort[] = [
    { port: topology.port, setting: 'PORT', what: 'the console' },
    { port: topology.oidcPort, setting: 'OIDC_PORT', what: 'the local identity provider' },
    { port: topology.desklinePort, setting: 'DESKLINE_PORT', what: 'Deskline' },
  ];
  const deadline = performance.now() + patienceMs;
  for (const one of wanted) {
    while (true) {
      try {
        await assertPortFree(one);
        break;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await sleep(200);
      }
    }
  }
}
