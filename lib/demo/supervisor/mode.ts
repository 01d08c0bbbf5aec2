import { SettingsError, type Settings } from '../../env.ts';

const PRODUCTION = [
  'DATABASE_OWNER_URL',
  'DATABASE_CONSOLE_URL',
  'DATABASE_EXECUTOR_URL',
  'DATABASE_AUDITOR_URL',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'NEXTAUTH_URL',
  'NEXTAUTH_SECRET',
] as const satisfies Array<keyof Settings>;

/**
 * Production when databases or a sign-in provider are set, the demo when none is. Refuses half of a production, and
 * names what is missing: the demo's parts never stand in for it.
 */
export function chooseMode(settings: Settings): 'demo' | 'production' {
  const given = PRODUCTION.filter((name) => settings[name] !== undefined);
  if (!given.some((name) => name.startsWith('DATABASE_') || name.startsWith('OIDC_'))) return 'demo';
  const missing = PRODUCTION.filter((name) => settings[name] === undefined);
  if (missing.length === 0) return 'production';
  throw new SettingsError(
    `${given.join(', ')} ${given.length === 1 ? 'is' : 'are'} set, so this is not the demo; ` +
      `missing for production: ${missing.join(', ')}. See .env.example.`,
  );
}
