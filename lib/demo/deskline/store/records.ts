import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { DEFINITIONS, type Resource } from '../resources.ts';
import { countEffect } from './effects.ts';

/** Who asked, as far as the request said so. */
export interface Identity {
  idempotencyKey: string | null;
  clientReference: string | null;
  requestId: string | null;
}

/** A row as callers see it: the request's own fields and what the service adds. */
export interface DesklineRecord {
  id: string;
  status: string;
  note: string;
  version: number;
  idempotency_key: string | null;
  client_reference: string | null;
  request_id: string | null;
  committed_at: string;
  closed_at: string | null;
  [field: string]: unknown;
}

/** The key under which effects are counted, whether or not the resource honours it. */
export function operationKeyOf(identity: Identity): string | null {
  return identity.idempotencyKey ?? identity.clientReference;
}

/** Adds one row with its effects. Call it inside a transaction. */
export function insertRecord(
  db: DatabaseSync,
  resource: Resource,
  fields: Record<string, unknown>,
  identity: Identity,
  now: number,
): DesklineRecord {
  const { prefix, firstNumber, notifies, initial } = DEFINITIONS[resource];
  const last = db.prepare('select max(number) as number from records where resource = ?').get(resource);
  const number = Number(last?.['number'] ?? firstNumber - 1) + 1;
  const id = `${prefix}_${number}`;
  const { idempotencyKey, clientReference, requestId } = identity;
  const row = db
    .prepare(
      `insert into records (resource, number, id, idempotency_key, client_reference, request_id, fields, status, committed_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?) returning *`,
    )
    .get(
      resource,
      number,
      id,
      idempotencyKey,
      clientReference,
      requestId,
      JSON.stringify({ ...fields, note: initial.note }),
      initial.status,
      now,
    );
  countEffect(db, { resource, operationKey: operationKeyOf(identity), reference: id, notifies, at: now });
  return toRecord(row);
}

/**
 * Closes a ticket absolutely: closing a closed ticket answers the ticket and has no effect.
 * Call it inside a transaction.
 */
export function closeTicket(
  db: DatabaseSync,
  id: string,
  expectedVersion: number | null,
  identity: Identity,
  now: number,
): DesklineRecord | 'not_found' | 'version_mismatch' {
  const ticket = findById(db, 'tickets', id);
  if (!ticket) return 'not_found';
  if (expectedVersion !== null && expectedVersion !== ticket.version) return 'version_mismatch';
  if (ticket.status === 'closed') return ticket;
  const row = db
    .prepare(
      `update records set status = 'closed', closed_at = ?, version = version + 1 where id = ? returning *`,
    )
    .get(now, id);
  countEffect(db, {
    resource: 'ticket_closures',
    operationKey: operationKeyOf(identity),
    reference: id,
    notifies: true,
    at: now,
  });
  return toRecord(row);
}

export function findById(db: DatabaseSync, resource: Resource, id: string): DesklineRecord | null {
  const row = db.prepare('select * from records where resource = ? and id = ?').get(resource, id);
  return row ? toRecord(row) : null;
}

/** Rows of one key (either header or client reference) that were committed until `visibleUntil`, oldest first. */
export function findByKey(
  db: DatabaseSync,
  resource: Resource,
  key: string,
  visibleUntil: number,
): DesklineRecord[] {
  return db
    .prepare(
      `select * from records where resource = ? and (idempotency_key = ? or client_reference = ?)
       and committed_at <= ? order by number`,
    )
    .all(resource, key, key, visibleUntil)
    .map(toRecord);
}

/**
 * One page, oldest first, of the rows after the row `after` that were committed until `visibleUntil`, and whose key
 * (either one) begins with `keyPrefix`.
 */
export function listRecords(
  db: DatabaseSync,
  resource: Resource,
  page: { after: number; limit: number; visibleUntil: number; keyPrefix: string },
): DesklineRecord[] {
  return db
    .prepare(
      `select * from records where resource = ? and number > ? and committed_at <= ?
         and substr(coalesce(idempotency_key, client_reference, ''), 1, length(?5)) = ?5
       order by number limit ?4`,
    )
    .all(resource, page.after, page.visibleUntil, page.limit, page.keyPrefix)
    .map(toRecord);
}

/** Somebody else changes a row: nothing but its version tells. Call it inside a transaction. */
export function reviseRecord(db: DatabaseSync, resource: Resource, id: string): DesklineRecord | null {
  const row = db
    .prepare('update records set version = version + 1 where resource = ? and id = ? returning *')
    .get(resource, id);
  return row ? toRecord(row) : null;
}

function toRecord(row: Record<string, SQLOutputValue> | undefined): DesklineRecord {
  if (!row) throw new Error('the store returned no row for a write');
  const text = (column: string) => (typeof row[column] === 'string' ? row[column] : null);
  const instant = (column: string) =>
    row[column] === null ? null : new Date(Number(row[column])).toISOString();
  const fields = JSON.parse(String(row['fields'])) as { note: string } & Record<string, unknown>;
  return {
    id: String(row['id']),
    status: String(row['status']),
    ...fields,
    version: Number(row['version']),
    idempotency_key: text('idempotency_key'),
    client_reference: text('client_reference'),
    request_id: text('request_id'),
    committed_at: instant('committed_at') ?? '',
    closed_at: instant('closed_at'),
  };
}
