import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../supervisor/port.ts';
import { PERSONAS } from './personas.ts';
import { createIdentityProvider } from './server.ts';

const consoleUrl = 'http://localhost:3999';
const clientSecret = 'a secret of the test, long enough';
let issuer: string;
let server: Server;

beforeAll(async () => {
  const port = await freePort();
  issuer = `http://127.0.0.1:${port}`;
  server = await createIdentityProvider({
    issuer,
    clientId: 'desk',
    clientSecret,
    consoleUrl,
    warn: () => {},
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** A browser's cookies, and no more of a browser. */
function newBrowser() {
  const cookies = new Map<string, string>();
  return async (url: string, method = 'GET') => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(url, issuer), { method, redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return { status: response.status, location: response.headers.get('location') ?? '', response };
  };
}
type Browser = ReturnType<typeof newBrowser>;

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

function authorizationUrl(changes: Record<string, string> = {}): string {
  const parameters = {
    client_id: 'desk',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `${consoleUrl}/api/auth/callback/oidc`,
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  return `/auth?${new URLSearchParams(parameters)}`;
}

/** Signs in and answers the address that the browser is sent back to. */
async function signIn(browser: Browser, sub: string): Promise<URL> {
  const question = await browser(authorizationUrl());
  expect(question.location).toMatch(/^\/pick\//);
  const answer = await browser(`${question.location}/${sub}`, 'POST');
  return new URL((await browser(answer.location)).location);
}

async function redeem(code: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`desk:${encodeURIComponent(clientSecret).replaceAll('%20', '+')}`)}`,
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: `${consoleUrl}/api/auth/callback/oidc`,
      code_verifier: verifier,
    }),
  });
  const { id_token: idToken = '' } = (await response.json()) as { id_token?: string };
  const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString();
  return JSON.parse(payload) as Record<string, unknown>;
}

describe('the local identity provider', () => {
  test('the ID token says who signed in and when', async () => {
    const before = Math.floor(Date.now() / 1_000) - 1;
    const back = await signIn(newBrowser(), 'ines');
    expect(back.origin + back.pathname).toBe(`${consoleUrl}/api/auth/callback/oidc`);
    expect(back.searchParams.get('state')).toBe('the state');
    const claims = await redeem(back.searchParams.get('code') ?? '');
    expect(claims).toMatchObject({
      iss: issuer,
      aud: 'desk',
      sub: 'ines',
      name: 'Ines Okafor',
      email: 'ines@example.test',
      nonce: 'the nonce',
    });
    expect(claims['auth_time']).toBeGreaterThanOrEqual(before);
  });

  test('a browser that signed in is asked again, and may be somebody else', async () => {
    const browser = newBrowser();
    await signIn(browser, 'ines');
    const back = await signIn(browser, 'rita');
    expect(await redeem(back.searchParams.get('code') ?? '')).toMatchObject({ sub: 'rita' });
  });

  test('the page has one button for each persona, named exactly so, and runs nothing', async () => {
    const browser = newBrowser();
    const { response } = await browser((await browser(authorizationUrl())).location);
    const html = await response.text();
    const buttons = [...html.matchAll(/<button[^>]*>([^<]*)<\/button>/g)].map((match) => match[1]);
    expect(buttons).toEqual(PERSONAS.map(({ name }) => name));
    expect(html).not.toContain('<script');
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    expect(policy).toContain(`default-src 'none'`);
    expect(policy).toContain(`form-action 'self' ${consoleUrl}`);
  });

  test('a request without PKCE gets no code', async () => {
    const { location } = await newBrowser()(
      authorizationUrl({ code_challenge: '', code_challenge_method: '' }),
    );
    expect(new URL(location).searchParams.get('error')).toBe('invalid_request');
  });

  test('only the console may receive a code', async () => {
    const { status, location } = await newBrowser()(
      authorizationUrl({ redirect_uri: 'http://localhost:1/steal' }),
    );
    expect({ status, location }).toEqual({ status: 400, location: '' });
  });

  test('somebody unknown, another browser and an expired question are refused', async () => {
    const browser = newBrowser();
    const { location } = await browser(authorizationUrl());
    expect((await browser(`${location}/mallory`, 'POST')).status).toBe(404);
    expect((await newBrowser()(`${location}/ines`, 'POST')).status).toBe(400);
  });
});
