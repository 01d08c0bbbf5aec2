import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, instant } from './column-types.ts';

export const auditEntries = pgTable(
  'audit_entries',
  {
    tenantId: text('tenant_id').notNull(),
    environment: text('environment').notNull(),
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    at: instant('at').notNull(),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    operationKey: text('operation_key'),
    body: bytea('body').notNull(),
    previousHash: bytea('previous_hash').notNull(),
    hash: bytea('hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.environment, table.sequence] })],
);
