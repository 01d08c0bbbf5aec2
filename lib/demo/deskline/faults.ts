import { setTimeout as wait } from 'node:timers/promises';
import type { HeldAt } from './holds.ts';
import { answer, failure, isSuccess, type Answer, type Reply } from './replies.ts';

/** Every fault and whether it takes an argument: milliseconds, for `not_now` seconds. Those of jobs meet delayed writes. */
const FAULTS = {
  drop_before_commit: 'none',
  delay: 'required',
  error_before_commit: 'none',
  refuse: 'none',
  not_now: 'optional',
  deliver_twice: 'none',
  delay_after_commit: 'required',
  commit_then_drop: 'none',
  error_after_commit: 'none',
  gateway_timeout_after_commit: 'none',
  malformed_body: 'none',
  truncated_body: 'none',
  wrong_content_type: 'none',
  incomplete_body: 'none',
  wrong_receipt: 'none',
  nul_text: 'none',
  hang: 'none',
  hold_before_commit: 'none',
  hold_after_commit: 'none',
  job_delay: 'required',
  job_stands_still: 'none',
  job_fails: 'none',
} as const satisfies Record<string, 'none' | 'optional' | 'required'>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

export interface Fault {
  name: FaultName;
  argument: number | null;
}

/**
 * Reads `name[=argument]`, several of them separated by commas, applied in that order; `none` is no fault.
 * Answers a sentence instead when the text is not a fault, so that a misspelt one never passes as health.
 */
export function parseFaults(text: string): Fault[] | string {
  if (text.trim() === 'none') return [];
  const faults: Fault[] = [];
  for (const part of text.split(',')) {
    const [, word = '', digits] = /^\s*([a-z_]+)(?:=(\d{1,6}))?\s*$/.exec(part) ?? [];
    const name = FAULT_NAMES.find((known) => known === word);
    if (!name) return `"${part.trim()}" is not a fault`;
    if (FAULTS[name] === 'required' && !digits) return `${name} needs =milliseconds`;
    if (FAULTS[name] === 'none' && digits) return `${name} takes no argument`;
    faults.push({ name, argument: digits ? Number(digits) : null });
  }
  return faults;
}

/** What a fault may do to the request that it meets. */
export interface Playing {
  stopping: AbortSignal;
  /** Stands still until the control releases the request. */
  hold: (at: HeldAt) => Promise<void>;
}

/** Plays the faults that come before the commit. A reply ends the request without an effect; null lets it go on. */
export async function beforeCommit(faults: Fault[], { stopping, hold }: Playing): Promise<Reply | null> {
  for (const { name, argument } of faults) {
    switch (name) {
      case 'delay':
        // The service goes on after the wait even if the client has gone: that is what makes a late commit.
        await wait(argument ?? 0, undefined, { signal: stopping });
        break;
      case 'hold_before_commit':
        await hold('before_commit');
        break;
      case 'drop_before_commit':
        return { kind: 'drop' };
      case 'error_before_commit':
        return failure(500, 'internal_error', 'Something went wrong');
      case 'refuse':
        return failure(422, 'refused', 'This request is refused for good');
      case 'not_now':
        return failure(429, 'not_now', 'Nothing was done; ask again later', {
          'retry-after': String(argument ?? 1),
        });
      default:
    }
  }
  return null;
}

/** Plays the faults that come after the commit on the reply that would have been given. */
export async function afterCommit(
  faults: Fault[],
  honest: Reply,
  { stopping, hold }: Playing,
): Promise<Reply> {
  let reply = honest;
  for (const { name, argument } of faults) {
    if (name === 'delay_after_commit') await wait(argument ?? 0, undefined, { signal: stopping });
    if (name === 'hold_after_commit') await hold('after_commit');
    if (reply.kind === 'answer') reply = distort(reply, name);
  }
  return reply;
}

function distort(reply: Answer, name: FaultName): Reply {
  const { status } = reply;
  const text = JSON.stringify(reply.body);
  const contentType = 'application/json';
  switch (name) {
    case 'commit_then_drop':
      return { kind: 'drop' };
    case 'hang':
      return { kind: 'hang' };
    case 'error_after_commit':
      return failure(500, 'internal_error', 'Something went wrong');
    case 'gateway_timeout_after_commit':
      return failure(504, 'gateway_timeout', 'The upstream did not answer in time');
    case 'malformed_body':
      return { kind: 'text', status, contentType, text: text.slice(0, -2), cut: false };
    case 'truncated_body':
      return { kind: 'text', status, contentType, text, cut: true };
    case 'wrong_content_type':
      return {
        kind: 'text',
        status,
        contentType: 'text/html',
        text: '<html><body>OK</body></html>',
        cut: false,
      };
    case 'incomplete_body':
      return changeRecord(reply, (record) => ({ ...record, id: undefined }));
    case 'wrong_receipt':
      return changeRecord(reply, misstate);
    case 'nul_text':
      return changeRecord(reply, (record) => ({
        ...record,
        note: 'nul \u0000, half a pair \ud800, cut emoji \ud83d',
      }));
    default:
      return reply;
  }
}

/** The record is the body of a write's answer, and stands under `record` in a lookup's. */
function changeRecord(
  reply: Answer,
  change: (record: Record<string, unknown>) => Record<string, unknown>,
): Answer {
  if (!isSuccess(reply)) return reply;
  const { status, body, headers } = reply;
  const nested = body['record'];
  const isNested = typeof nested === 'object' && nested !== null;
  return answer(status, isNested ? { ...body, record: change({ ...nested }) } : change(body), headers);
}

function misstate(record: Record<string, unknown>): Record<string, unknown> {
  for (const field of ['amount', 'subject', 'text']) {
    const value = record[field];
    if (typeof value === 'number') return { ...record, [field]: value + 1 };
    if (typeof value !== 'string') continue;
    const other = field === 'amount' ? (Number(value) + 1).toFixed(2) : `${value} (not what was asked)`;
    return { ...record, [field]: other };
  }
  return record;
}
