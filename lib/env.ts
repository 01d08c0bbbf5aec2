import { z } from 'zod';

const port = z.coerce
  .number('must be a port number')
  .int('must be a port number')
  .min(1, 'must be a port from 1 to 65535')
  .max(65_535, 'must be a port from 1 to 65535');
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' });
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every setting of the product. What has no default is required only by those who `need` it. */
const schema = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  OIDC_PORT: port.optional(),
  DESKLINE_PORT: port.optional(),
  PG_PORT: port.optional(),
  DATA_DIR: z.string().default('.data'),

  DATABASE_OWNER_URL: databaseUrl.optional(),
  DATABASE_CONSOLE_URL: databaseUrl.optional(),
  DATABASE_EXECUTOR_URL: databaseUrl.optional(),
  DATABASE_AUDITOR_URL: databaseUrl.optional(),

  NEXTAUTH_URL: webUrl.optional(),
  NEXTAUTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  OIDC_ISSUER: webUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),

  DESKLINE_URL: webUrl.optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  ADOPT_ENVIRONMENT: z.string().optional(),
  FOREIGN_WRITERS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((role) => role.trim())
        .filter((role) => role !== ''),
    ),

  TEST_PG_URL: databaseUrl.optional(),
  CHROMIUM_PATH: z.string().optional(),
  E2E_PORT: port.default(4310),
});

export type Settings = z.output<typeof schema>;

/** Thrown for wrong or missing settings; the message is one sentence for each, naming it. Values are never shown. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Validates `source`; an empty value counts as not set. Refuses with every wrong setting named. */
export function readSettings(source: Readonly<Record<string, string | undefined>>): Settings {
  const filled = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim() !== ''));
  const result = schema.safeParse(filled);
  if (result.success) return result.data;
  const sentences = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`);
  throw new SettingsError(sentences.join('\n'));
}

let settings: Settings | undefined;

/** This process's settings, read and validated at the first call (a build has none of them, and asks for none). */
export function env(): Settings {
  settings ??= readSettings(process.env);
  return settings;
}

/** A setting that the caller cannot do without; refuses with a sentence that names it. */
export function need<Name extends keyof Settings>(name: Name): NonNullable<Settings[Name]> {
  const value = env()[name];
  if (value === undefined) throw new SettingsError(`${name} is not set. See .env.example for what it means.`);
  return value;
}

/** What a program that we start inherits: only the named variables, so that no secret of ours travels with them. */
export function inherited(...names: string[]): Record<string, string> {
  return Object.fromEntries(given().filter(([name]) => names.includes(name)));
}

/** Everything that this process was given except our own settings: what each of our children starts from. */
export function foreignEnvironment(): Record<string, string> {
  return Object.fromEntries(given().filter(([name]) => !(name in schema.shape)));
}

function given(): Array<[string, string]> {
  return Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined);
}

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(schema.shape);
