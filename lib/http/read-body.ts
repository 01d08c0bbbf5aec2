import { parseStrictJson } from '../shapes/strict-json.ts';
import { HttpError } from './problem.ts';

export const MAX_BODY_BYTES = 256 * 1024;

/** The JSON of a body, counted while it streams: a declared length is only the client's word. */
export async function readJson(request: Request, maxBytes = MAX_BODY_BYTES): Promise<unknown> {
  assertType(request, 'application/json');
  const parsed = parseStrictJson(await readText(request, maxBytes));
  if (!parsed.ok) {
    throw new HttpError('invalid', 'The body is not JSON that can be accepted.', [
      { pointer: parsed.pointer, detail: parsed.why },
    ]);
  }
  return parsed.value;
}

/** The fields of a form that a page of ours posted. */
export async function readForm(request: Request, maxBytes = MAX_BODY_BYTES): Promise<URLSearchParams> {
  assertType(request, 'application/x-www-form-urlencoded');
  return new URLSearchParams(await readText(request, maxBytes));
}

function assertType(request: Request, wanted: string): void {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';', 1);
  if (type.trim().toLowerCase() === wanted) return;
  throw new HttpError('unsupported_media_type', `The body must be ${wanted}.`);
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const tooLarge = () => new HttpError('too_large', `The body must not be larger than ${maxBytes} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let text = '';
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new HttpError('invalid', 'The body is not UTF-8 text.');
    throw error;
  }
}
