import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SCHEMA = `
  create table if not exists records (
    resource text not null,
    number integer not null,
    id text not null unique,
    idempotency_key text,
    client_reference text,
    request_id text,
    fields text not null,
    status text not null,
    version integer not null default 1,
    committed_at integer not null,
    closed_at integer,
    primary key (resource, number)
  ) strict;
  create index if not exists records_by_key on records (resource, idempotency_key);
  create index if not exists records_by_client_reference on records (resource, client_reference);

  create table if not exists jobs (
    number integer primary key,
    id text not null unique,
    resource text not null,
    idempotency_key text,
    client_reference text,
    request_id text,
    fields text not null,
    status text not null check (status in ('running', 'succeeded', 'failed')),
    accepted_at integer not null,
    due_at integer,
    fails integer not null,
    ended_at integer,
    record_id text
  ) strict;
  create index if not exists jobs_due on jobs (due_at) where status = 'running';
  create index if not exists jobs_by_key on jobs (idempotency_key);
  create index if not exists jobs_by_client_reference on jobs (client_reference);

  create table if not exists effects (
    number integer primary key,
    resource text not null,
    operation_key text,
    reference text not null,
    kind text not null check (kind in ('record', 'notification')),
    at integer not null
  ) strict;
  create index if not exists effects_by_key on effects (operation_key);

  create table if not exists remembered_keys (
    scope text not null,
    key text not null,
    request_hash text not null,
    answer text not null,
    stored_at integer not null,
    primary key (scope, key)
  ) strict;

  create table if not exists settings (resource text primary key, value text not null) strict;

  create table if not exists fault_rules (
    position integer primary key,
    rule text not null,
    fired integer not null default 0
  ) strict;
  create table if not exists fault_draws (
    position integer not null,
    key text not null,
    draws integer not null,
    primary key (position, key)
  ) strict;
`;

/**
 * Opens (or makes) the store below `dir`. SQLite is part of Node 24, needs no flag and prints no warning there.
 * It was chosen over a journal of our own because record, notification, remembered key and effect counters must
 * become durable in one step: WAL with `synchronous = full` syncs each commit (0.4 ms) before it is answered.
 * The exclusive lock keeps a second Deskline off the same store; the timeout outlasts one that is just stopping.
 */
export function openStore(dir: string): DatabaseSync {
  mkdirSync(dir, { recursive: true });
  const db = new DatabaseSync(join(dir, 'deskline.sqlite'), { timeout: 5_000 });
  try {
    db.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full');
    db.exec(SCHEMA);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** Runs `work` as one transaction: wholly durable when this returns, wholly undone when it throws. */
export function atomically<T>(db: DatabaseSync, work: () => T): T {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

/** Forgets all rows, counters and keys; settings and fault rules stay. */
export function emptyStore(db: DatabaseSync): void {
  atomically(db, () => {
    db.exec(
      'delete from records; delete from jobs; delete from effects; delete from remembered_keys; delete from fault_draws',
    );
  });
}
