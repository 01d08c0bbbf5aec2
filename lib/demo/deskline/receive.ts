import type { IncomingMessage } from 'node:http';
import { failure, type Answer } from './replies.ts';

/** A request that was read whole. */
export interface DeskRequest {
  method: string;
  segments: string[];
  query: URLSearchParams;
  header: (name: string) => string | null;
  /** The parsed JSON body; an absent one is an empty object. */
  body: unknown;
}

const MOST_BYTES = 64 * 1024;
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * Refuses what does not come from a program on this machine. The socket is bound to 127.0.0.1 already; a browser
 * on this machine is still a way in for foreign pages: by a name that they point here (Host) or by a plain
 * cross-site post (Origin, which no client of ours sends).
 */
export function refuseStranger(incoming: IncomingMessage): Answer | null {
  if (!LOOPBACK_HOST.test(incoming.headers.host ?? '')) {
    return failure(421, 'not_loopback', 'Deskline answers to loopback names only');
  }
  if (incoming.headers.origin !== undefined) {
    return failure(403, 'browser_refused', 'Deskline does not serve web pages');
  }
  return null;
}

/** Reads a request whole, or answers why it cannot be one. */
export async function receive(incoming: IncomingMessage): Promise<DeskRequest | Answer> {
  const target = readTarget(incoming.url ?? '');
  if (!target) return failure(400, 'invalid_target', 'The request target is not a path');
  const text = await readText(incoming);
  if (text === null) {
    return failure(413, 'too_large', `A body has at most ${MOST_BYTES} bytes`, { connection: 'close' });
  }
  if (text !== '' && !/^application\/json\s*(;|$)/i.test(incoming.headers['content-type'] ?? '')) {
    return failure(415, 'unsupported_media_type', 'Send application/json');
  }
  const body = parseJson(text === '' ? '{}' : text);
  if (body === undefined) return failure(400, 'invalid_json', 'The body is not JSON');
  return {
    method: incoming.method ?? '',
    ...target,
    header: (name) => {
      const value = incoming.headers[name];
      return typeof value === 'string' && value !== '' ? value : null;
    },
    body,
  };
}

function readTarget(target: string): { segments: string[]; query: URLSearchParams } | null {
  if (!target.startsWith('/')) return null;
  try {
    const url = new URL(`http://deskline${target}`);
    const segments = url.pathname.split('/').filter((segment) => segment !== '');
    return { segments: segments.map((segment) => decodeURIComponent(segment)), query: url.searchParams };
  } catch {
    return null;
  }
}

async function readText(incoming: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Read on past the limit without keeping anything: the client gets the 413 instead of a broken pipe.
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MOST_BYTES) chunks.push(chunk);
  }
  return bytes > MOST_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
