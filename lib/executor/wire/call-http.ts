import { NotSent } from '../tool.ts';

export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** The parsed body; undefined where it is not JSON or could not be read whole. */
  body: unknown;
}

/** Errors after which no byte of the request can have reached the other side. */
const BEFORE_THE_WIRE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

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
  return causes.every(
    (one) =>
      typeof one === 'object' && one !== null && 'code' in one && BEFORE_THE_WIRE.has(String(one.code)),
  );
}

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
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return undefined; // cut off, or not JSON: the caller calls it unclear
  }
}
