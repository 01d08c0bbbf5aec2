import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './column-types.ts';

export const lookupRequests = pgTable(
  'lookup_requests',
  {
    tenantId: text('tenant_id').notNull(),
    requestId: uuid('request_id').notNull(),
    environment: text('environment').notNull(),
    operationKey: text('operation_key').notNull(),
    askedBy: text('asked_by').notNull(),
    askedAt: instant('asked_at').notNull(),
    takenUntil: instant('taken_until'),
    answeredAt: instant('answered_at'),
    evidenceId: uuid('evidence_id'),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.requestId] })],
);
