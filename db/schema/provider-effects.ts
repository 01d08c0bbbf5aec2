import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, instant } from './column-types.ts';

export const providerEffects = pgTable(
  'provider_effects',
  {
    tenantId: text('tenant_id').notNull(),
    environment: text('environment').notNull(),
    toolName: text('tool_name').notNull(),
    referenceDigest: bytea('reference_digest').notNull(),
    reference: text('reference').notNull(),
    downstreamKey: text('downstream_key'),
    committedAt: instant('committed_at'),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    explainedAt: instant('explained_at'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.environment, table.toolName, table.referenceDigest] }),
  ],
);
