import { describe, expect, test } from 'vitest';
import { authCookies } from './cookies.ts';

describe('the cookies', () => {
  test('under https have the __Host- prefix and all that it asks for', () => {
    for (const { name, options } of Object.values(authCookies('https://desk.example.com'))) {
      expect(name).toMatch(/^__Host-rd\./);
      expect(options).toMatchObject({ secure: true, httpOnly: true, sameSite: 'lax', path: '/' });
      expect(options).not.toHaveProperty('domain');
    }
  });

  test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'are plain on %s',
    (url) => {
      for (const { name, options } of Object.values(authCookies(url))) {
        expect(name).toMatch(/^rd\./);
        expect(options).toMatchObject({ secure: false, httpOnly: true, sameSite: 'lax' });
      }
    },
  );

  test.each([
    'http://desk.example.com',
    'http://10.0.0.5:3000',
    'http://localhost.evil.example',
    'http://0.0.0.0:3000',
  ])('are refused on %s, and the sentence names the setting', (url) => {
    expect(() => authCookies(url)).toThrow(/^NEXTAUTH_URL must be https/);
  });
});
