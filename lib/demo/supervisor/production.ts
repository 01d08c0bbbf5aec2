import { migrate } from '../../../db/migrate.ts';
import { migrationSettings } from '../../../db/migration-settings.ts';
import { foreignEnvironment, need, type Settings } from '../../env.ts';
import type { ChildSpec } from './child.ts';
import { assertPortFree } from './port.ts';
import type { Supervisor } from './supervisor.ts';
import { healthSeconds, untilHealthy, webSpec } from './web.ts';

/**
 * Migrates as the owner, and serves the console on databases and a provider of somebody else's. The console is not
 * given the owner's URL, and its log goes to our terminal, for whatever collects logs there.
 */
export async function startProduction(options: {
  settings: Settings;
  supervisor: Supervisor;
  runChild: (spec: ChildSpec) => Promise<void>;
  build: (signal: AbortSignal) => Promise<void>;
  dev: boolean;
  announce: (message: string) => void;
}): Promise<void> {
  const { settings, supervisor, runChild, build, dev, announce } = options;
  await assertPortFree({ port: settings.PORT, setting: 'PORT', what: 'the console' });
  await migrate({ ownerUrl: need('DATABASE_OWNER_URL'), settings: migrationSettings(), announce });
  await build(supervisor.stopping);
  const env = {
    ...foreignEnvironment(),
    LOG_LEVEL: settings.LOG_LEVEL,
    DATABASE_CONSOLE_URL: need('DATABASE_CONSOLE_URL'),
    OIDC_ISSUER: need('OIDC_ISSUER'),
    OIDC_CLIENT_ID: need('OIDC_CLIENT_ID'),
    OIDC_CLIENT_SECRET: need('OIDC_CLIENT_SECRET'),
    NEXTAUTH_URL: need('NEXTAUTH_URL'),
    NEXTAUTH_SECRET: need('NEXTAUTH_SECRET'),
  };
  await runChild(webSpec({ dev, host: settings.HOST, port: settings.PORT, env }));
  await untilHealthy(settings.PORT, healthSeconds(dev), supervisor.stopping);
}
