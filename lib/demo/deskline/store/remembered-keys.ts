import type { DatabaseSync } from 'node:sqlite';
import type { Answer } from '../replies.ts';

export interface RememberedAnswer {
  requestHash: string;
  answer: Answer;
}

/** The answer that was stored with a key, unless the key window has closed over it. */
export function recall(
  db: DatabaseSync,
  scope: string,
  key: string,
  storedAfter: number,
): RememberedAnswer | null {
  const row = db
    .prepare('select request_hash, answer from remembered_keys where scope = ? and key = ? and stored_at > ?')
    .get(scope, key, storedAfter);
  if (!row) return null;
  return {
    requestHash: String(row['request_hash']),
    answer: JSON.parse(String(row['answer'])) as Answer,
  };
}

export function remember(
  db: DatabaseSync,
  scope: string,
  key: string,
  remembered: RememberedAnswer,
  now: number,
): void {
  db.prepare(
    'insert or replace into remembered_keys (scope, key, request_hash, answer, stored_at) values (?, ?, ?, ?, ?)',
  ).run(scope, key, remembered.requestHash, JSON.stringify(remembered.answer), now);
}
