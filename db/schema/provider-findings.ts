import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant } from './column-types.ts';

export const providerFindings = pgTable(
  'provider_findings',
  {
    tenantId: text('tenant_id').notNull(),
    findingId: uuid('finding_id').notNull(),
    environment: text('environment').notNull(),
    toolName: text('tool_name').notNull(),
    kind: text('kind')
      .$type<
        'no_operation' | 'resolved_otherwise' | 'another_receipt' | 'receipt_missing' | 'second_effect'
      >()
      .notNull(),
    subject: bytea('subject').notNull(),
    operationKey: text('operation_key'),
    reference: text('reference'),
    downstreamKey: text('downstream_key'),
    committedAt: instant('committed_at'),
    openedAt: instant('opened_at').notNull(),
    closedAt: instant('closed_at'),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.findingId] })],
);
