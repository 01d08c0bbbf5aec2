import type { ServerResponse } from 'node:http';
import type { z } from 'zod';

/** A whole, honest JSON answer. */
export interface Answer {
  kind: 'answer';
  status: number;
  body: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** What goes over the wire in the end: an answer, or what a fault made of it. */
export type Reply =
  | Answer
  | { kind: 'text'; status: number; contentType: string; text: string; cut: boolean }
  | { kind: 'drop' }
  | { kind: 'hang' };

export function answer(
  status: number,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Answer {
  return { kind: 'answer', status, body, headers };
}

export function failure(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Answer {
  return answer(status, { error: { code, message } }, headers);
}

/** 422 that names the first offending field. */
export function invalid(error: z.ZodError): Answer {
  const issue = error.issues[0];
  const where = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  return failure(422, 'invalid_request', `${where}${issue?.message ?? 'not valid'}`);
}

export function isSuccess(reply: Reply): reply is Answer {
  return reply.kind === 'answer' && reply.status < 300;
}

export function send(response: ServerResponse, reply: Reply): void {
  switch (reply.kind) {
    case 'drop':
      response.socket?.destroy();
      return;
    case 'hang':
      return; // the socket stays open until the client goes or the service stops
    case 'answer': {
      const bytes = Buffer.from(JSON.stringify(reply.body));
      response.writeHead(reply.status, {
        ...reply.headers,
        'content-type': 'application/json',
        'content-length': bytes.length,
      });
      response.end(bytes);
      return;
    }
    case 'text': {
      const bytes = Buffer.from(reply.text);
      response.writeHead(reply.status, {
        'content-type': reply.contentType,
        'content-length': bytes.length,
      });
      if (!reply.cut) {
        response.end(bytes);
        return;
      }
      response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroySoon());
      return;
    }
  }
}
