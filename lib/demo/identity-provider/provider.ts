import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { errors, Provider, type JWK, type KoaContextWithOIDC } from 'oidc-provider';
import { renderRefusal } from './page.ts';
import { PERSONAS } from './personas.ts';

export type ProviderOptions = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Where the console is; only its callback may receive a code. */
  consoleUrl: string;
};

/** The cookie of a sign-in under way; the server forgets it when another one begins. */
export const SESSION_COOKIE = 'sign_in';

/** Minutes and seconds are enough for a demo: nothing that this provider issues is meant to last. */
const TTL_SECONDS = { Interaction: 600, Session: 60, Grant: 60, AccessToken: 300, IdToken: 300 };

/**
 * A real OpenID Connect provider for demo and tests: authorization code with PKCE, one client, keys of this start
 * alone. The ID token carries all claims, so that the
 * console needs no second call.
 */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const provider: Provider = new Provider(options.issuer, {
    clients: [
      {
        client_id: options.clientId,
        client_secret: options.clientSecret,
        redirect_uris: [`${options.consoleUrl}/api/auth/callback/oidc`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
        require_auth_time: true,
      },
    ],
    jwks: { keys: [await newSigningKey()] },
    cookies: { keys: [randomBytes(32).toString('base64url')], names: { session: SESSION_COOKIE } },
    claims: { openid: ['sub', 'auth_time'], email: ['email'], profile: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    ttl: TTL_SECONDS,
    interactions: { url: (_context, { uid }) => `/pick/${uid}` },
    findAccount: (_context, id) => {
      const persona = PERSONAS.find(({ sub }) => sub === id);
      if (persona === undefined) return undefined;
      const { sub, name, email } = persona;
      return { accountId: sub, claims: () => ({ sub, name, email }) };
    },
    // the console is ours: nobody is asked whether it may know who signs in
    loadExistingGrant: async (context) => {
      const grant = new provider.Grant(partiesOf(context));
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    renderError: (context, out) => {
      context.type = 'html';
      const { body, headers } = renderRefusal(out.error_description ?? out.error, options.consoleUrl);
      context.set(headers);
      context.body = body;
    },
  });
  return provider;
}

async function newSigningKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = privateKey.export({ format: 'jwk' }) as JWK;
  return { ...jwk, use: 'sig', alg: 'RS256', kid: randomBytes(8).toString('hex') };
}

function partiesOf({ oidc }: KoaContextWithOIDC): { clientId: string; accountId: string } {
  const clientId = oidc.client?.clientId;
  const accountId = oidc.session?.accountId;
  if (clientId === undefined || accountId === undefined) throw new errors.InvalidRequest('nobody signed in');
  return { clientId, accountId };
}
