import { NotSent } from '../tool.ts';

export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** The parsed body, integers beyond ±(2^53−1) as text; undefined where it is not JSON or could not be read whole. */
  body: unknown;
}

/**
 * System calls and errors before which no byte of the request was written. The call decides and not the error's code:
 * "no route to host" is also how a connection ends that has carried a request.
 */
const BEFORE_THE_WIRE = new Set<unknown>(['connect', 'getaddrinfo', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * One HTTP request without retries or redirects, for a tool's effect or lookup.
 * @param maxBytes a larger answer is unreadable
 * @throws {NotSent} where the connection was never made; any other error means that it may have been processed
 */
export async function callHttp(
  url: string,
  init: {
    method?: string;
    headers?: Record<string, string>;
    body?: unknown;
    signal: AbortSignal;
    maxBytes?: number;
  },
): Promise<HttpAnswer> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: init.method ?? 'GET',
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
        ...init.headers,
      },
      ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
      redirect: 'manual',
      signal: init.signal,
    });
  } catch (error) {
    if (neverConnected(error)) throw new NotSent('no connection was made', { cause: error });
    throw error;
  }
  return {
    status: response.status,
    headers: response.headers,
    body: await readJson(response, init.maxBytes ?? 1_048_576),
  };
}

/** Every address that was tried must have failed before the wire. */
function neverConnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return (
    causes.length > 0 &&
    causes.every((one) => {
      const { code, syscall } = (one ?? {}) as { code?: unknown; syscall?: unknown };
      return BEFORE_THE_WIRE.has(syscall) || BEFORE_THE_WIRE.has(code);
    })
  );
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
/** The third argument is of ECMAScript 2026 and in every Node that we run on. */
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** A whole number that a double cannot hold stays the text that it was sent as: an id is never rounded. */
const exactly: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
    ? source
    : value;

async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  if (!/^application\/(\w+\+)?json\b/.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel();
    return undefined;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) return undefined;
      chunks.push(chunk);
    }
    return parse(Buffer.concat(chunks).toString('utf8'), exactly);
  } catch {
    return undefined; // cut off, or not JSON: the caller calls it unclear
  }
}
