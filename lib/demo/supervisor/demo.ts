import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { migrate } from '../../../db/migrate.ts';
import { migrationSettings } from '../../../db/migration-settings.ts';
import { prepareDatabase, type RoleUrls } from '../../../db/prepare-database.ts';
import { grantPersonas } from '../identity-provider/grant-personas.ts';
import { foreignEnvironment, type Settings } from '../../env.ts';
import type { ChildSpec } from './child.ts';
import { runPostgres } from './postgres-service.ts';
import type { Secrets } from './secrets.ts';
import type { Supervisor } from './supervisor.ts';
import { assertPortsFree, type Topology } from './topology.ts';
import { healthSeconds, untilHealthy, webSpec } from './web.ts';

const demo = path.resolve(import.meta.dirname, '..');
const CLIENT_ID = 'replay-desk';
/** How long the children of a run that was killed may hold their ports. */
const PATIENCE_MS = 8_000;

export type DemoOptions = {
  settings: Settings;
  topology: Topology;
  secrets: Secrets;
  supervisor: Supervisor;
  /** Runs a child; tests put a stand-in in its place. */
  runChild: (spec: ChildSpec) => Promise<void>;
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
    const urls = await prepareDatabase({
      superuserUrl,
      passwords: secrets.passwords,
      foreignWriters: options.settings.FOREIGN_WRITERS,
    });
    await migrate({ ownerUrl: urls.owner, settings: migrationSettings(), announce });
    await grantPersonas(urls.owner, topology.issuer);
    return urls;
  });
  const [urls] = await Promise.all([prepared, options.build(supervisor.stopping)]);
  for (const spec of childSpecs(options, urls, logs)) await options.runChild(spec);
  await untilHealthy(topology.port, healthSeconds(options.dev), supervisor.stopping);
}

function childSpecs(options: DemoOptions, urls: RoleUrls, logs: string): ChildSpec[] {
  const { settings, topology, secrets, dev } = options;
  const base = { ...foreignEnvironment(), LOG_LEVEL: settings.LOG_LEVEL, DATA_DIR: topology.dataDir };
  const oidc = {
    OIDC_ISSUER: topology.issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: secrets.oidcClientSecret,
    NEXTAUTH_URL: topology.consoleUrl,
  };
  const child = (name: string, env: Record<string, string>, args: string[] = []): ChildSpec => ({
    name,
    file: path.join(demo, name, 'main.ts'),
    args,
    env: { ...base, ...env, NODE_ENV: 'production' },
    ready: new RegExp(`^\\[${name}\\] ready`),
    readySeconds: 60,
    graceSeconds: 12,
    log: path.join(logs, `${name}.log`),
  });
  return [
    child('identity-provider', { ...oidc, OIDC_PORT: String(topology.oidcPort) }),
    child('deskline', {}, [
      '--port',
      String(topology.desklinePort),
      '--data',
      path.join(topology.dataDir, 'deskline'),
    ]),
    child('workload', {
      DATABASE_EXECUTOR_URL: urls.executor,
      DESKLINE_URL: topology.desklineUrl,
    }),
    webSpec({
      dev,
      host: '127.0.0.1',
      port: topology.port,
      env: {
        ...base,
        ...oidc,
        NEXTAUTH_SECRET: secrets.nextauthSecret,
        DATABASE_CONSOLE_URL: urls.console,
        DESKLINE_URL: topology.desklineUrl,
      },
      log: path.join(logs, 'console.log'),
    }),
  ];
}
