import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { control } from './control.ts';
import type { Desk } from './desk.ts';
import { openHolds } from './holds.ts';
import { list, lookUp, readJob, listJobs, readOne } from './read.ts';
import { receive, refuseStranger, type DeskRequest } from './receive.ts';
import { failure, send, type Reply } from './replies.ts';
import { isResource } from './resources.ts';
import { performDueJobs } from './store/jobs.ts';
import { openStore } from './store/open-store.ts';
import { close, create } from './write.ts';

export interface DesklineOptions {
  /** 0 takes any free port. */
  port: number;
  /** Where the store lives; made when missing. One running Deskline per folder. */
  dir: string;
  allowReset?: boolean;
  /** Milliseconds since 1970, for tests of lag and windows. */
  now?: () => number;
}

export interface Deskline {
  url: string;
  /** Ends open requests without a further commit, then closes the store. */
  close(): Promise<void>;
}

/** Starts the service on 127.0.0.1. There is no option to listen anywhere else. */
export async function startDeskline(options: DesklineOptions): Promise<Deskline> {
  const stop = new AbortController();
  const desk: Desk = {
    db: openStore(options.dir),
    now: options.now ?? Date.now,
    stopping: stop.signal,
    inProgress: new Map(),
    holds: openHolds(stop.signal),
    received: new Map(),
    allowReset: options.allowReset ?? false,
  };
  const server = createServer((incoming, response) => void handle(desk, incoming, response));
  // Longer than clients keep idle connections, so that a closing one is never mistaken for a lost answer.
  server.keepAliveTimeout = 65_000;
  try {
    server.listen(options.port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    desk.db.close();
    throw error;
  }
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      if (stop.signal.aborted) return;
      stop.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      desk.db.close();
    },
  };
}

async function handle(desk: Desk, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const refusal = refuseStranger(incoming);
    if (refusal) return send(response, refusal);
    const request = await receive(incoming);
    if ('kind' in request) return send(response, request);
    const requestId = request.header('x-request-id');
    if (requestId !== null) response.setHeader('x-request-id', requestId);
    send(response, await route(desk, request));
  } catch (error) {
    const clientGone = response.socket?.destroyed ?? true;
    if (!desk.stopping.aborted && !clientGone) console.error('[deskline]', error);
    if (desk.stopping.aborted || clientGone || response.headersSent) return send(response, { kind: 'drop' });
    send(response, failure(500, 'internal_error', 'Something went wrong'));
  }
}

function route(desk: Desk, request: DeskRequest): Promise<Reply> | Reply {
  performDueJobs(desk.db, desk.now());
  const [first, second, third, ...rest] = request.segments;
  if (first === 'control') return control(desk, request);
  if (rest.length > 0) return notFound();
  if (request.method === 'POST') {
    if (isResource(first) && second === undefined) return create(desk, request, first);
    if (first === 'tickets' && second !== undefined && third === 'close') return close(desk, request, second);
    return notFound();
  }
  if (request.method !== 'GET') return failure(405, 'method_not_allowed', 'Only GET and POST');
  if (third !== undefined) return notFound();
  if (first === 'lookup' && isResource(second)) return lookUp(desk, request, second);
  if (first === 'jobs')
    return second === undefined ? listJobs(desk, request) : readJob(desk, request, second);
  if (!isResource(first)) return notFound();
  return second === undefined ? list(desk, request, first) : readOne(desk, request, first, second);
}

function notFound(): Reply {
  return failure(404, 'not_found', 'There is nothing at this path');
}
