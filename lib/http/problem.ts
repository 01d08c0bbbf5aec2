import { DatabaseError, ServiceError, type ServiceErrorCode } from '../errors.ts';

/** RFC 9457 problem details, with our closed `code` for programs. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ServiceErrorCode | HttpErrorCode | 'internal';
  /** The request's id, as in the `x-request-id` header and in our log. */
  instance: string;
  /** Which fields were refused: JSON Pointers into the body, or names of query parameters. */
  errors?: readonly FieldError[];
};

export type FieldError = { pointer: string; detail: string };

/** Refusals that only http knows. */
export type HttpErrorCode = 'foreign_origin' | 'unsupported_media_type';

export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: ServiceErrorCode | HttpErrorCode;
  readonly errors: readonly FieldError[];

  constructor(code: ServiceErrorCode | HttpErrorCode, message: string, errors: readonly FieldError[] = []) {
    super(message);
    this.code = code;
    this.errors = errors;
  }
}

/** The one place that knows a code's status. */
const STATUS: Readonly<Record<Problem['code'], readonly [status: number, title: string]>> = {
  invalid: [400, 'The request is not valid'],
  unauthenticated: [401, 'Not signed in'],
  forbidden: [403, 'Not allowed'],
  foreign_origin: [403, 'Not from this site'],
  not_found: [404, 'Not found'],
  conflict: [409, 'Changed in the meantime'],
  too_large: [413, 'Too large'],
  unsupported_media_type: [415, 'Wrong content type'],
  unprocessable: [422, 'Not acceptable'],
  internal: [500, 'Something went wrong here'],
  unavailable: [503, 'Not available at the moment'],
};

/** What a client is told of an error. Of an error that nobody expected it learns the request's id and nothing else. */
export function toProblem(error: unknown, requestId: string): Problem {
  if (error instanceof ServiceError) {
    return { ...error.details, ...problem(error.code, error.message, requestId) };
  }
  if (error instanceof HttpError) {
    const errors = error.errors.length === 0 ? {} : { errors: error.errors };
    return { ...problem(error.code, error.message, requestId), ...errors };
  }
  if (error instanceof DatabaseError && (error.kind === 'unavailable' || error.kind === 'deadline')) {
    return problem(
      'unavailable',
      'The database does not answer. Whether anything changed is not confirmed.',
      requestId,
    );
  }
  return problem('internal', 'The error was logged under this request id.', requestId);
}

export function problemResponse(body: Problem, headers: HeadersInit = {}): Response {
  const response = new Response(JSON.stringify(body), { status: body.status, headers });
  response.headers.set('content-type', 'application/problem+json');
  return response;
}

function problem(code: Problem['code'], detail: string, instance: string): Problem {
  const [status, title] = STATUS[code];
  return { type: `urn:replay-desk:problem:${code}`, title, status, detail, code, instance };
}
