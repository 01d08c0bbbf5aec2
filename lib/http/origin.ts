import { HttpError } from './problem.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

export const isWrite = (method: string): boolean => !READS.has(method);

/**
 * A write must come from our own pages: browsers say so in `Origin`, and no page can forge it. Compared with the
 * configured address alone: `Host` and `X-Forwarded-Host` are the client's words.
 */
export function assertOwnOrigin(request: Request, baseUrl: string): void {
  if (request.headers.get('origin') !== new URL(baseUrl).origin) {
    throw new HttpError('foreign_origin', 'Writes are accepted from the pages of this console only.');
  }
}
