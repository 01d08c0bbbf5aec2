import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeClients, consoleSql } from '../../db/client.ts';
import { findSession } from '../../db/queries/sessions/find-session.ts';
import { testDatabase, type TestDatabase } from '../../db/testing/test-database.ts';
import { toCaller } from './caller.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { hashSessionToken } from './session-token.ts';
import { startSignIn } from './start-sign-in.ts';

const BASE = 'http://localhost:4500';
type Jar = Record<string, string>;

let database: TestDatabase;
let admin: Client;
let issuer: FakeIssuer;

beforeAll(async () => {
  [database, issuer] = await Promise.all([testDatabase(), fakeIssuer()]);
  admin = new Client({ connectionString: database.urls.superuser });
  await admin.connect();
  vi.stubEnv('NEXTAUTH_URL', BASE);
  vi.stubEnv('NEXTAUTH_SECRET', 'a-secret-of-the-test-with-enough-characters');
  vi.stubEnv('OIDC_ISSUER', issuer.url);
  vi.stubEnv('OIDC_CLIENT_ID', 'replay-desk');
  vi.stubEnv('OIDC_CLIENT_SECRET', 'client-secret');
  vi.stubEnv('DATABASE_CONSOLE_URL', database.urls.console);
  vi.stubEnv('LOG_LEVEL', 'silent');
});
afterAll(async () => {
  await closeClients();
  await admin.end();
  issuer.server.close();
  await database.drop();
});
beforeEach(() => {
  issuer.claims = {};
  issuer.forged = false;
});

/** A browser that goes through sign-in; `tamper` changes what comes back from the provider. */
async function browse(
  jar: Jar,
  persona: { sub: string; name?: string; email?: string },
  options: { to?: string; tamper?: (query: Record<string, string>, jar: Jar) => void } = {},
) {
  const start = await startSignIn(options.to ?? null);
  if (start.to !== 'provider') return { location: start.location };
  keep(jar, start.cookies);
  const asked = new URL(start.location);
  const query = issuer.authorize(asked, persona);
  const sent = { ...jar };
  options.tamper?.(query, sent);
  const done = await finishSignIn({ query, cookies: sent });
  keep(jar, done.cookies);
  return { location: done.location, asked, cookies: done.cookies };
}

const count = async (table: string) =>
  (await admin.query(`select count(*)::int as n from ${table}`)).rows[0].n;
const sessionOf = (jar: Jar) =>
  findSession(consoleSql(), hashSessionToken(jar['rd.session'] ?? '') ?? Buffer.alloc(32));

describe('signing in', () => {
  test('asks the provider with state, nonce and PKCE, for our one address', async () => {
    const { asked } = await browse({}, { sub: 'asks' });
    expect(Object.fromEntries(asked?.searchParams ?? [])).toMatchObject({
      client_id: 'replay-desk',
      redirect_uri: `${BASE}/api/auth/callback/oidc`,
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/./),
      nonce: expect.stringMatching(/./),
    });
  });

  test('opens a session of 12 hours, keeps only the hash of its token, and goes back to the page', async () => {
    const jar: Jar = {};
    const { location, cookies } = await browse(
      jar,
      { sub: 'ines', name: 'Ines Okafor', email: 'ines@x.test' },
      { to: '/acme/production/queue?tab=all' },
    );
    expect(location).toBe('/acme/production/queue?tab=all');
    const line = cookies?.find((cookie) => cookie.startsWith('rd.session='));
    expect(line).toMatch(/HttpOnly/);
    expect(line).toMatch(/SameSite=Lax/);
    const { rows } = await admin.query(
      `select encode(token_hash, 'hex') as hash, round(extract(epoch from expires_at - sessions.created_at) / 3600, 2)::float as hours
         from sessions join users using (user_id) where name = 'Ines Okafor'`,
    );
    const token = jar['rd.session'] ?? '';
    expect(rows).toEqual([{ hash: createHash('sha256').update(token).digest('hex'), hours: 12 }]);
    expect(await sessionOf(jar)).toMatchObject({
      user: { name: 'Ines Okafor', email: 'ines@x.test' },
      grants: [],
    });
  });

  test('gives an identity the grants that wait for it, and the caller reads them at each request', async () => {
    await admin.query(
      `insert into identity_grants values ('acme', 'production', $1, 'marek', 'operator'), ('acme', 'production', $1, 'marek', 'viewer'), ('acme', 'staging', $1, 'marek', 'operator')`,
      [issuer.url],
    );
    const jar: Jar = {};
    await browse(jar, { sub: 'marek', name: 'Marek Brandt' });
    const session = await sessionOf(jar);
    const caller = toCaller(session ?? expect.fail('no session'));
    expect(caller.scopes).toEqual([
      { tenantId: 'acme', environment: 'production' },
      { tenantId: 'acme', environment: 'staging' },
    ]);
    expect(caller.rolesFor('acme', 'production')).toEqual(['operator', 'viewer']);
    expect(caller.rolesFor('globex', 'production')).toEqual([]);
    await admin.query(`delete from grants where tenant_id = 'acme' and environment = 'staging'`);
    expect((await sessionOf(jar))?.grants).toHaveLength(2);
  });

  test('never matches people by e-mail, and knows the same subject again', async () => {
    const users = await count('users');
    await browse({}, { sub: 'twin-1', email: 'same@x.test' });
    await browse({}, { sub: 'twin-2', email: 'same@x.test' });
    await browse({}, { sub: 'twin-1', email: 'same@x.test', name: 'Renamed' });
    expect((await count('users')) - users).toBe(2);
    expect((await admin.query(`select from users where name = 'Renamed'`)).rowCount).toBe(1);
  });

  test('a second person in the same browser is not linked to the first, whose session ends', async () => {
    const jar: Jar = {};
    await browse(jar, { sub: 'first', name: 'First' });
    const copy = { ...jar };
    await browse(jar, { sub: 'second', name: 'Second' });
    expect((await sessionOf(jar))?.user.name).toBe('Second');
    expect(await sessionOf(copy)).toBeNull();
    const { rows } = await admin.query(
      `select count(distinct user_id)::int as n from identities where subject in ('first', 'second')`,
    );
    expect(rows).toEqual([{ n: 2 }]);
  });

  test('[S15] a person who is disabled is told so, gets no session, and an open one is refused', async () => {
    const jar: Jar = {};
    await browse(jar, { sub: 'leaver', name: 'Leaver' });
    await admin.query(`update users set disabled_at = now() where name = 'Leaver'`);
    expect(await sessionOf(jar)).toBeNull();
    const sessions = await count('sessions');
    expect((await browse({}, { sub: 'leaver', name: 'Leaver' })).location).toBe('/sign-in?notice=denied');
    expect(await count('sessions')).toBe(sessions);
  });

  test('writes an audit entry for each', async () => {
    const before = await count('audit_entries');
    await browse({}, { sub: 'audited', name: 'Audited' });
    const { rows } = await admin.query(
      `select tenant_id, action, convert_from(body, 'UTF8')::jsonb -> 'detail' as detail from audit_entries order by sequence desc limit 1`,
    );
    expect((await count('audit_entries')) - before).toBe(1);
    expect(rows).toMatchObject([{ tenant_id: '_system', action: 'sign_in', detail: { subject: 'audited' } }]);
  });
});

describe('[S18] a callback without a session', () => {
  const cases: [string, Parameters<typeof browse>[2]][] = [
    ['that lacks the state', { tamper: (query) => delete query['state'] }],
    ['with another state', { tamper: (query) => (query['state'] = 'another') }],
    ['without the state cookie', { tamper: (_query, jar) => delete jar['rd.state'] }],
    ['without the PKCE cookie', { tamper: (_query, jar) => delete jar['rd.pkce'] }],
    ['without the nonce cookie', { tamper: (_query, jar) => delete jar['rd.nonce'] }],
    ['without a code', { tamper: (query) => delete query['code'] }],
    [
      'from a browser that began nothing',
      { tamper: (_query, jar) => Object.keys(jar).forEach((name) => delete jar[name]) },
    ],
  ];
  test.each(cases)('%s', async (_what, options) => {
    const sessions = await count('sessions');
    const { location, cookies } = await browse({}, { sub: 'attacker' }, options);
    expect(location).toMatch(/^\/sign-in\?notice=failed/);
    expect(cookies?.some((line) => line.startsWith('rd.session='))).toBe(false);
    expect(await count('sessions')).toBe(sessions);
    expect((await admin.query(`select from identities where subject = 'attacker'`)).rowCount).toBe(0);
  });

  test.each([
    ['nonce', { nonce: 'another' }],
    ['issuer', { iss: 'http://127.0.0.1:9/' }],
    ['audience', { aud: 'another-client' }],
    ['lifetime', { exp: 1_000_000_000 }],
  ])('whose ID token has another %s', async (_what, claims) => {
    issuer.claims = claims;
    expect((await browse({}, { sub: 'attacker' })).location).toBe('/sign-in?notice=failed');
    expect((await admin.query(`select from identities where subject = 'attacker'`)).rowCount).toBe(0);
  });

  test('whose ID token is signed by somebody else', async () => {
    issuer.forged = true;
    expect((await browse({}, { sub: 'attacker' })).location).toBe('/sign-in?notice=failed');
    expect((await admin.query(`select from identities where subject = 'attacker'`)).rowCount).toBe(0);
  });

  test('whose code is used a second time', async () => {
    let replay: { query: Record<string, string>; cookies: Jar } | undefined;
    await browse(
      {},
      { sub: 'once' },
      { tamper: (query, jar) => (replay = { query: { ...query }, cookies: { ...jar } }) },
    );
    const again = await finishSignIn(replay ?? expect.fail('nothing to replay'));
    expect(again.location).toBe('/sign-in?notice=failed');
  });
});

describe('what goes wrong on the way', () => {
  test('a person who does not go on at the provider is told that', async () => {
    const query = { error: 'access_denied', error_description: '\u001b[31mcanary' };
    expect(await finishSignIn({ query, cookies: {} })).toEqual({
      location: '/sign-in?notice=cancelled',
      cookies: [],
    });
  });

  test('any other error of the provider is never echoed', async () => {
    const query = { error: 'canary', error_description: 'canary' };
    expect((await finishSignIn({ query, cookies: {} })).location).toBe('/sign-in?notice=failed');
  });

  test('a provider that does not answer is named as the cause, and the way back is kept', async () => {
    issuer.down = true;
    expect(await startSignIn('/acme')).toEqual({
      to: 'sign-in',
      location: '/sign-in?notice=unreachable&to=%2Facme',
    });
    issuer.down = false;
  });

  test('a database that does not answer is named as the cause', async () => {
    await admin.query('alter function app.sign_in rename to sign_in_away');
    const { location } = await browse({}, { sub: 'unlucky' });
    await admin.query('alter function app.sign_in_away rename to sign_in');
    expect(location).toBe('/sign-in?notice=unavailable');
  });
});

function keep(jar: Jar, lines: readonly string[]): void {
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') delete jar[name];
    else jar[name] = decodeURIComponent(value);
  }
}

type FakeIssuer = {
  url: string;
  server: Server;
  /** Written over the right claims. */
  claims: Record<string, unknown>;
  /** Signs with a key that it does not publish. */
  forged: boolean;
  down: boolean;
  authorize: (asked: URL, persona: { sub: string }) => Record<string, string>;
};

/** As much of an OpenID provider as can be lied with. */
async function fakeIssuer(): Promise<FakeIssuer> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const others = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map<string, { persona: object; nonce: string; challenge: string }>();
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const idToken = (claims: object) => {
    const signed = `${encode({ alg: 'RS256', kid: 'k1' })}.${encode(claims)}`;
    const { privateKey } = fake.forged ? others : keys;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  };
  const token = async (request: IncomingMessage) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const form = new URLSearchParams(text);
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (code === undefined || code.challenge !== proof)
      return { status: 400, body: { error: 'invalid_grant' } };
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: fake.url,
      aud: 'replay-desk',
      iat: now,
      exp: now + 300,
      nonce: code.nonce,
      ...code.persona,
    };
    return {
      status: 200,
      body: { access_token: 'a', token_type: 'Bearer', id_token: idToken({ ...claims, ...fake.claims }) },
    };
  };
  const answers: Record<string, (request: IncomingMessage) => object | Promise<object>> = {
    '/.well-known/openid-configuration': () => ({
      body: {
        issuer: fake.url,
        authorization_endpoint: `${fake.url}/authorize`,
        token_endpoint: `${fake.url}/token`,
        jwks_uri: `${fake.url}/jwks`,
      },
    }),
    '/jwks': () => ({
      body: { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }] },
    }),
    '/token': token,
  };
  const server = createServer((request, response) => {
    void (async () => {
      if (fake.down) {
        request.destroy();
        return;
      }
      const answer = await answers[request.url ?? '']?.(request);
      const { status = 200, body } = (answer ?? { status: 404, body: {} }) as {
        status?: number;
        body: object;
      };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    claims: {},
    forged: false,
    down: false,
    authorize: (asked, persona) => {
      const code = `code-${codes.size}-${Math.random()}`;
      const of = (name: string) => asked.searchParams.get(name) ?? '';
      codes.set(code, { persona, nonce: of('nonce'), challenge: of('code_challenge') });
      return { code, state: of('state') };
    },
  };
  return fake;
}
