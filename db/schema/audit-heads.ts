import { bigint, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea } from './column-types.ts';

export const auditHeads = pgTable(
  'audit_heads',
  {
    tenantId: text('tenant_id').notNull(),
    environment: text('environment').notNull(),
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    hash: bytea('hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.environment] })],
);
