import { describe, expect, test } from 'vitest';
import { readSettings, SettingsError } from './env.ts';

describe('readSettings', () => {
  test('nothing set is the demo on its default port', () => {
    expect(readSettings({})).toMatchObject({ PORT: 3000, DATA_DIR: '.data', LOG_LEVEL: 'info' });
  });

  test('an empty value counts as not set', () => {
    expect(readSettings({ PORT: '', NEXTAUTH_URL: ' ' })).toMatchObject({ PORT: 3000 });
  });

  test('every wrong setting is named in a sentence, and no value is shown', () => {
    const wrong = {
      PORT: 'web',
      LOG_LEVEL: 'loud',
      DATABASE_OWNER_URL: 'mysql://root:hunter2@db/x',
      NEXTAUTH_SECRET: 'hunter2',
    };
    const refusal = refusalOf(wrong);
    expect(refusal).toBeInstanceOf(SettingsError);
    expect(String(refusal)).toMatch(/PORT must be a port number\./);
    expect(String(refusal)).toMatch(/LOG_LEVEL must be one of fatal, .*\./);
    expect(String(refusal)).toMatch(/DATABASE_OWNER_URL must be a postgres:\/\/ URL\./);
    expect(String(refusal)).toMatch(/NEXTAUTH_SECRET must have at least 32 characters\./);
    expect(String(refusal)).not.toContain('hunter2');
  });

  test('foreign writers are a list of role names', () => {
    expect(readSettings({ FOREIGN_WRITERS: 'legacy, importer ,' }).FOREIGN_WRITERS).toEqual([
      'legacy',
      'importer',
    ]);
  });
});

function refusalOf(source: Record<string, string>): unknown {
  try {
    return readSettings(source);
  } catch (error) {
    return error;
  }
}
