import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, jsonb } from './column-types.ts';

export const toolContracts = pgTable(
  'tool_contracts',
  {
    name: text('name').notNull(),
    version: text('version').notNull(),
    digest: text('digest').notNull(),
    revision: integer('revision').notNull(),
    body: jsonb('body').notNull(),
    effectClass: text('effect_class').notNull(),
    lookup: text('lookup').notNull(),
    resend: text('resend').notNull(),
    delicate: boolean('delicate').notNull(),
    keyWindowSeconds: integer('key_window_seconds'),
    callBudgetMs: integer('call_budget_ms').notNull(),
    settleSeconds: integer('settle_seconds').notNull(),
    recoverySeconds: integer('recovery_seconds').notNull(),
    jobSeconds: integer('job_seconds'),
    maxAttempts: integer('max_attempts').notNull(),
    backoffSeconds: integer('backoff_seconds').notNull(),
    leaseSeconds: integer('lease_seconds').notNull(),
    responseSeconds: integer('response_seconds').notNull(),
    retentionSeconds: integer('retention_seconds').notNull(),
    abandonAfterSeconds: integer('abandon_after_seconds'),
    decision: text('decision').notNull(),
    registeredAt: instant('registered_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.version] })],
);
