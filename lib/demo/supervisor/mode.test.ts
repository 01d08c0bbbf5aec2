import { describe, expect, test } from 'vitest';
import { readSettings } from '../../env.ts';
import { chooseMode } from './mode.ts';

const production = {
  DATABASE_OWNER_URL: 'postgres://a@db/x',
  DATABASE_CONSOLE_URL: 'postgres://b@db/x',
  DATABASE_EXECUTOR_URL: 'postgres://c@db/x',
  DATABASE_AUDITOR_URL: 'postgres://d@db/x',
  OIDC_ISSUER: 'https://id.example.test',
  OIDC_CLIENT_ID: 'desk',
  OIDC_CLIENT_SECRET: 'secret',
  NEXTAUTH_URL: 'https://desk.example.test',
  NEXTAUTH_SECRET: 'x'.repeat(32),
};

describe('chooseMode', () => {
  test('with nothing set it is the demo, also when ports are', () => {
    expect(chooseMode(readSettings({ PORT: '4000', OIDC_PORT: '4001' }))).toBe('demo');
  });

  test('with everything set it is production', () => {
    expect(chooseMode(readSettings(production))).toBe('production');
  });

  test.each(Object.keys(production))('a production without %s is refused and names it', (name) => {
    const settings = readSettings({ ...production, [name]: '' });
    expect(() => chooseMode(settings)).toThrow(`missing for production: ${name}.`);
  });
});
