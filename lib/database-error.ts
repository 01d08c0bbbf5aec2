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
