// the index of drizzle-orm loads all of it: a second of every process that only runs statements
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { DatabaseError, type DatabaseErrorKind } from '../lib/errors.ts';

const BY_STATE: Readonly<Record<string, DatabaseErrorKind>> = {
  '23505': 'duplicate',
  '25006': 'unavailable', // a standby: nothing can be written
  '40001': 'contention',
  '40P01': 'contention',
  '42501': 'denied',
  '55P03': 'contention',
  '57014': 'deadline',
};

const BY_CLASS: Readonly<Record<string, DatabaseErrorKind>> = {
  '08': 'unavailable',
  '22': 'invalid',
  '23': 'constraint',
  '28': 'denied',
  '40': 'contention',
  '53': 'unavailable',
  '57': 'unavailable',
  '58': 'unavailable',
  P0: 'raised',
};

/** Node's and the two drivers' words for a connection that was not made or was lost. */
const UNREACHED = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
]);
const UNREACHED_WITHOUT_CODE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered|was closed)|Cannot use a pool after)/;

/** What a driver threw as a `DatabaseError`; null for anything that did not come from a driver. */
export function mapDatabaseError(error: unknown): DatabaseError | null {
  if (error instanceof DatabaseError) return error;
  if (!(error instanceof Error)) return null;
  // drizzle's error repeats the statement with its parameters; a dual-stack connect fails once per address
  if (error instanceof DrizzleQueryError) return mapDatabaseError(error.cause) ?? defect(error);
  if (error instanceof AggregateError) return mapDatabaseError(error.errors[0]);

  const { code, severity, constraint_name, constraint } = error as Error & Record<string, unknown>;
  if (typeof code !== 'string') {
    return UNREACHED_WITHOUT_CODE.test(error.message) ? stripped('unavailable', error, {}) : null;
  }
  if (UNREACHED.has(code)) return stripped('unavailable', error, { driverCode: code });
  if (severity === undefined && code !== '57014') return null;
  const name = constraint_name ?? constraint;
  return stripped(BY_STATE[code] ?? BY_CLASS[code.slice(0, 2)] ?? 'defect', error, {
    sqlstate: code,
    constraint: typeof name === 'string' ? name : null,
  });
}

/** A statement that a driver refused to send. Its message may quote a parameter, so only the place is kept. */
export function defect(error: unknown): DatabaseError {
  return stripped('defect', error instanceof Error ? error : new Error(), {});
}

type Facts = { sqlstate?: string; constraint?: string | null; driverCode?: string };

function stripped(kind: DatabaseErrorKind, original: Error, facts: Facts): DatabaseError {
  const { sqlstate = null, constraint = null, driverCode } = facts;
  const code = sqlstate ?? driverCode;
  const parts = [`database ${kind}`, code === undefined ? '' : ` (${code})`];
  // class 42 speaks of the text of our own statement, never of a value: a defect cannot be found without it
  if (sqlstate?.startsWith('42') === true) parts.push(`: ${original.message}`);
  else if (constraint !== null) parts.push(`: ${constraint}`);
  const mapped = new DatabaseError(kind, { message: parts.join(''), sqlstate, constraint });
  const frames = original.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  mapped.stack = [`${mapped.name}: ${mapped.message}`, ...frames].join('\n');
  return mapped;
}
