import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errors } from 'oidc-provider';
import { renderPersonas, renderRefusal, type Page } from './page.ts';
import { PERSONAS } from './personas.ts';
import { createProvider, SESSION_COOKIE, type ProviderOptions } from './provider.ts';

export type ServerOptions = ProviderOptions & {
  /** Told what went wrong, in words without secrets. */
  warn: (message: string) => void;
};

const PICK = /^\/pick\/([\w-]{1,64})(?:\/([a-z]{1,32}))?$/;

/**
 * The provider with its one page of our own: `/pick/<interaction>` asks, and posting a persona answers. It remembers
 * nobody: every sign-in asks.
 */
export async function createIdentityProvider(options: ServerOptions): Promise<Server> {
  const provider = await createProvider(options);
  const { warn, consoleUrl } = options;
  provider.on('server_error', (_context, error) => warn(`server error: ${error.message}`));
  provider.on('authorization.error', (_context, error) => warn(`authorization refused: ${error.message}`));
  provider.on('grant.error', (_context, error) => warn(`token refused: ${error.message}`));
  const protocol = provider.callback();

  const pick = async (request: IncomingMessage, response: ServerResponse, uid: string, sub?: string) => {
    const interaction = await provider.interactionDetails(request, response);
    if (interaction.uid !== uid) throw new errors.SessionNotFound('another sign-in was begun since');
    if (request.method === 'GET' && sub === undefined) {
      return send(response, 200, renderPersonas(uid, consoleUrl));
    }
    const known = PERSONAS.some((persona) => persona.sub === sub);
    if (request.method !== 'POST' || sub === undefined || !known) {
      return send(response, 404, renderRefusal('There is nobody of that name here.', consoleUrl));
    }
    const result = { login: { accountId: sub, remember: false } };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };

  return createServer((request, response) => {
    const pathname = (request.url ?? '').split('?')[0] ?? '';
    if (pathname.startsWith('/auth')) forgetSession(request);
    const [, uid, sub] = PICK.exec(pathname) ?? [];
    const answer = uid === undefined ? protocol(request, response) : pick(request, response, uid, sub);
    answer.catch((error: unknown) => {
      warn(error instanceof Error ? `${error.name}: ${error.message}` : 'unknown failure');
      if (response.headersSent) return response.destroy();
      const isStale = error instanceof errors.SessionNotFound;
      const reason = isStale ? 'It has expired, or was begun in another browser.' : 'The provider failed.';
      return send(response, isStale ? 400 : 500, renderRefusal(reason, consoleUrl));
    });
  });
}

function send(response: ServerResponse, status: number, { body, headers }: Page): void {
  response.writeHead(status, headers).end(body);
}

/** Whoever signed in before in this browser is a stranger to the sign-in that begins now. */
function forgetSession(request: IncomingMessage): void {
  const kept = (request.headers.cookie ?? '')
    .split(/;\s*/)
    .filter((pair) => !pair.startsWith(SESSION_COOKIE));
  request.headers.cookie = kept.join('; ');
}
