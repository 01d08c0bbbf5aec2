import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Resource } from '../resources.ts';
import { atomically } from './open-store.ts';
import { findById, insertRecord, type DesklineRecord, type Identity } from './records.ts';

/** How a delayed write goes on: after so many milliseconds, or null where only the control ends it. */
export interface JobPlan {
  afterMs: number | null;
  fails: boolean;
}

/** A job as callers see it. Its effect, and with it the record, comes with its success and not before. */
export interface Job {
  id: string;
  resource: Resource;
  status: 'running' | 'succeeded' | 'failed';
  idempotency_key: string | null;
  client_reference: string | null;
  request_id: string | null;
  accepted_at: string;
  ended_at: string | null;
  record: DesklineRecord | null;
}

/** Accepts one write as a job. Call it inside a transaction. */
export function acceptJob(
  db: DatabaseSync,
  resource: Resource,
  fields: Record<string, unknown>,
  identity: Identity,
  plan: JobPlan,
  now: number,
): { job_id: string; status: 'running' } {
  const last = db.prepare('select coalesce(max(number), 800) as number from jobs').get();
  const number = Number(last?.['number']) + 1;
  const id = `job_${number}`;
  db.prepare(
    `insert into jobs (number, id, resource, idempotency_key, client_reference, request_id, fields, status,
       accepted_at, due_at, fails)
     values (?, ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?)`,
  ).run(
    number,
    id,
    resource,
    identity.idempotencyKey,
    identity.clientReference,
    identity.requestId,
    JSON.stringify(fields),
    now,
    plan.afterMs === null ? null : now + plan.afterMs,
    plan.fails ? 1 : 0,
  );
  return { job_id: id, status: 'running' };
}

/**
 * Performs the jobs whose time has come, each as of its own time. Called before any request is handled, so that
 * nobody can see a job that is due and not done, and no timer is lost when the service ends.
 */
export function performDueJobs(db: DatabaseSync, now: number): void {
  const due = db.prepare(
    `select * from jobs where status = 'running' and due_at <= ? order by due_at, number`,
  );
  if (due.get(now) === undefined) return;
  atomically(db, () => {
    for (const row of due.all(now)) endJob(db, row, Number(row['fails']) === 1, Number(row['due_at']));
  });
}

/** Ends the running jobs of a key (either one) now; answers how many. Call it inside a transaction. */
export function endJobs(db: DatabaseSync, key: string, as: 'succeeded' | 'failed', now: number): number {
  const rows = db
    .prepare(`select * from jobs where status = 'running' and ? in (idempotency_key, client_reference)`)
    .all(key);
  for (const row of rows) endJob(db, row, as === 'failed', now);
  return rows.length;
}

export function findJob(db: DatabaseSync, id: string): Job | null {
  const row = db.prepare('select * from jobs where id = ?').get(id);
  return row ? toJob(db, row) : null;
}

export function jobsOfKey(db: DatabaseSync, key: string): Job[] {
  return db
    .prepare('select * from jobs where idempotency_key = ?1 or client_reference = ?1 order by number')
    .all(key)
    .map((row) => toJob(db, row));
}

type Row = Record<string, SQLOutputValue>;

function endJob(db: DatabaseSync, row: Row, fails: boolean, at: number): void {
  const { resource, ...identity } = identityOf(row);
  const fields = JSON.parse(String(row['fields'])) as Record<string, unknown>;
  const record = fails ? null : insertRecord(db, resource, fields, identity, at);
  db.prepare('update jobs set status = ?, ended_at = ?, record_id = ? where number = ?').run(
    fails ? 'failed' : 'succeeded',
    at,
    record?.id ?? null,
    row['number'] ?? null,
  );
}

function toJob(db: DatabaseSync, row: Row): Job {
  const { resource, idempotencyKey, clientReference, requestId } = identityOf(row);
  return {
    id: String(row['id']),
    resource,
    status: row['status'] as Job['status'],
    idempotency_key: idempotencyKey,
    client_reference: clientReference,
    request_id: requestId,
    accepted_at: new Date(Number(row['accepted_at'])).toISOString(),
    ended_at: row['ended_at'] === null ? null : new Date(Number(row['ended_at'])).toISOString(),
    record: typeof row['record_id'] === 'string' ? findById(db, resource, row['record_id']) : null,
  };
}

function identityOf(row: Row): Identity & { resource: Resource } {
  const text = (column: string) => (typeof row[column] === 'string' ? row[column] : null);
  return {
    resource: row['resource'] as Resource,
    idempotencyKey: text('idempotency_key'),
    clientReference: text('client_reference'),
    requestId: text('request_id'),
  };
}
