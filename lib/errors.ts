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

/** What went wrong in the database, in the words a caller can act on. */
export const DATABASE_ERROR_KINDS = [
  'unavailable', // not reached, lost, shutting down, full, or read-only
  'deadline', // gave up waiting: whether a write happened is not known
  'contention', // serialization failure, deadlock, lock not available
  'duplicate', // a unique index already has it
  'constraint', // any other constraint
  'denied', // privileges or row-level security
  'invalid', // a value that the database cannot take
  'raised', // one of our own functions raised an exception
  'defect', // the statement itself is wrong
] as const;
export type DatabaseErrorKind = (typeof DATABASE_ERROR_KINDS)[number];

/**
 * A database error without anything that came from outside: drivers put parameters into messages, so the original
 * is neither kept nor linked. `sqlstate` is null when the driver failed and not the server.
 */
export class DatabaseError extends Error {
  /** By name: clients outlive a bundle, so an error may come from another copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'DatabaseError';
  }

  override readonly name = 'DatabaseError';
  readonly kind: DatabaseErrorKind;
  readonly sqlstate: string | null;
  readonly constraint: string | null;

  constructor(
    kind: DatabaseErrorKind,
    facts: { message: string; sqlstate?: string | null; constraint?: string | null },
  ) {
    super(facts.message);
    this.kind = kind;
    this.sqlstate = facts.sqlstate ?? null;
    this.constraint = facts.constraint ?? null;
  }
}
