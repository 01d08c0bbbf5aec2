import type { PayloadVerdict } from '../../lib/executor/contract/review/check-payload.ts';
import { table } from './wrap.ts';

/** The JSON of `npm run contracts -- check`. */
export interface Check {
  new: string;
  old: string;
  rows: ({ line: number } & PayloadVerdict)[];
  matches: number;
  mismatches: number;
  impossible: number;
}

/** The check for people: the requests that would not match, and the counts. */
export function printCheck({ new: file, old, rows, matches, mismatches, impossible }: Check): string {
  const failing = rows
    .filter((row) => row.verdict !== 'match')
    .map((row) => [String(row.line), row.operation_key ?? '–', row.verdict, row.reason ?? '']);
  const counts = `${matches} of ${rows.length} stored requests match, ${mismatches} mismatch, ${impossible} cannot be rebuilt.`;
  const title = `${file} against ${old}`;
  if (failing.length === 0) return `${title}\n${counts}`;
  return `${title}\n${table(['line', 'operation', 'verdict', 'why'], failing)}\n${counts}`;
}
