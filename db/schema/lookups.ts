import { boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant, jsonb } from './column-types.ts';
import type { EvidenceAnswer } from '../../lib/domain/states.ts';

export const lookups = pgTable(
  'lookups',
  {
    tenantId: text('tenant_id').notNull(),
    evidenceId: uuid('evidence_id').notNull(),
    environment: text('environment').notNull(),
    operationKey: text('operation_key').notNull(),
    requestId: uuid('request_id'),
    source: text('source').$type<'lookup' | 'job' | 'late_answer' | 'person'>().notNull(),
    askedBy: text('asked_by').notNull(),
    connector: text('connector'),
    lookedUpBy: text('looked_up_by'),
    askedAt: instant('asked_at').notNull(),
    answeredAt: instant('answered_at').notNull(),
    answer: text('answer').$type<EvidenceAnswer>().notNull(),
    authoritative: boolean('authoritative').notNull(),
    namesAttempt: integer('names_attempt'),
    effectReference: text('effect_reference'),
    committedAt: instant('committed_at'),
    responseJson: jsonb('response_json'),
    summary: text('summary').notNull(),
    detail: jsonb('detail').notNull(),
    responseSealed: bytea('response_sealed'),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.evidenceId] })],
);
