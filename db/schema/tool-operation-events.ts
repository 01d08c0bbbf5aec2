import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, jsonb } from './column-types.ts';

export const toolOperationEvents = pgTable(
  'tool_operation_events',
  {
    tenantId: text('tenant_id').notNull(),
    environment: text('environment').notNull(),
    operationKey: text('operation_key').notNull(),
    eventId: bigint('event_id', { mode: 'number' }).notNull(),
    at: instant('at').notNull(),
    kind: text('kind').notNull(),
    steps: jsonb('steps').notNull(),
    fromStatus: text('from_status'),
    toStatus: text('to_status'),
    toPendingReason: text('to_pending_reason'),
    reason: text('reason'),
    attempt: integer('attempt'),
    version: bigint('version', { mode: 'number' }),
    actor: text('actor'),
    worker: text('worker'),
    traceId: text('trace_id'),
    spanId: text('span_id'),
    toolCallId: text('tool_call_id'),
    deliveryId: text('delivery_id'),
    detail: jsonb('detail').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.operationKey, table.eventId] })],
);
