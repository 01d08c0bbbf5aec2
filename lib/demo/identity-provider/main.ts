import { env, need } from '../../env.ts';
import { createIdentityProvider } from './server.ts';

/** The demo's identity provider as a process. Never reachable from outside the machine. */
const issuer = need('OIDC_ISSUER');
const server = await createIdentityProvider({
  issuer,
  clientId: need('OIDC_CLIENT_ID'),
  clientSecret: need('OIDC_CLIENT_SECRET'),
  consoleUrl: need('NEXTAUTH_URL'),
  warn: (message) => console.error(`[identity-provider] ${message}`),
});
server.listen(env().OIDC_PORT ?? env().PORT + 1, '127.0.0.1', () => {
  console.log(`[identity-provider] ready ${issuer}`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
