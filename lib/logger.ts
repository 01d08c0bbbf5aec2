import { pino, type Logger } from 'pino';
import { env } from './env.ts';

/** Invisible characters that turn or break a line on a reader's screen; JSON itself leaves them as they are. */
const TREACHEROUS = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Where finished lines go. */
type LineSink = { write: (line: string) => unknown };

/** One JSON record a line, whatever the logged values hold. */
export function createLogger(level: string, sink: LineSink): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    },
    { write: (line: string) => void sink.write(line.replace(TREACHEROUS, escape)) },
  );
}

/** Fields that hold secrets wherever they appear, one level down too. */
const SECRET_PATHS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'leaseToken',
  'set-cookie',
].flatMap((name) => [`["${name}"]`, `*["${name}"]`]);

let root: Logger | undefined;

/** The logger of one room (`'lookup'`, `'worker'`); never give it a payload, a secret or a database message. */
export function logger(room: string): Logger {
  root ??= createLogger(env().LOG_LEVEL, process.stdout);
  return root.child({ room });
}
