import { bigint, boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './column-types.ts';

export const providerWalks = pgTable(
  'provider_walks',
  {
    tenantId: text('tenant_id').notNull(),
    environment: text('environment').notNull(),
    toolName: text('tool_name').notNull(),
    runs: bigint('runs', { mode: 'number' }).notNull(),
    runId: uuid('run_id'),
    worker: text('worker'),
    takenUntil: instant('taken_until'),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    failed: text('failed'),
    pages: integer('pages').notNull(),
    effects: integer('effects').notNull(),
    opened: integer('opened').notNull(),
    closed: integer('closed').notNull(),
    nextWalkAt: instant('next_walk_at').notNull(),
    completedAt: instant('completed_at'),
    resumeAfter: text('resume_after'),
    passing: boolean('passing').notNull(),
    nextResumeAfter: text('next_resume_after'),
    judgedUntil: instant('judged_until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.environment, table.toolName] })],
);
