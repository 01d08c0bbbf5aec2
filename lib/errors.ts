/** Why a service refused; `lib/http` is the only place that turns a code into an HTTP status. */
export type ServiceErrorCode =
  | 'not_found'
  | 'forbidden'
  | 'unauthenticated'
  | 'conflict'
  | 'invalid'
  | 'unprocessable'
  | 'too_large'
  | 'unavailable';

/**
 * A refusal that may be shown: `message` is a sentence for the person who asked, `details` what the client needs
 * to go on (who changed the case, which field is wrong). Neither ever holds a secret or a database message.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ServiceErrorCode,
    message: string,
    options: { details?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** Whether `error` is a refusal, with the given code if one is given. */
export function isServiceError(error: unknown, code?: ServiceErrorCode): error is ServiceError {
  return error instanceof ServiceError && (code === undefined || error.code === code);
}
