import { bigint, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant } from './column-types.ts';
import type { DecisionState, Verdict, VoidReason } from '../../lib/domain/states.ts';

export const decisions = pgTable(
  'decisions',
  {
    tenantId: text('tenant_id').notNull(),
    decisionId: uuid('decision_id').notNull(),
    environment: text('environment').notNull(),
    operationKey: text('operation_key').notNull(),
    state: text('state').$type<DecisionState>().notNull(),
    verdict: text('verdict').$type<Verdict>().notNull(),
    reason: text('reason').notNull(),
    effectReference: text('effect_reference'),
    evidenceIds: uuid('evidence_ids').array().notNull(),
    expectedVersion: bigint('expected_version', { mode: 'number' }).notNull(),
    recordedVersion: bigint('recorded_version', { mode: 'number' }),
    successorKey: text('successor_key'),
    decidedBy: uuid('decided_by').notNull(),
    contentDigest: bytea('content_digest').notNull(),
    auditSequence: bigint('audit_sequence', { mode: 'number' }),
    decidedAt: instant('decided_at').notNull(),
    approvedBy: uuid('approved_by'),
    approvedAt: instant('approved_at'),
    approvalReason: text('approval_reason'),
    voidedBy: uuid('voided_by'),
    voidedAt: instant('voided_at'),
    voidedBecause: text('voided_because').$type<VoidReason>(),
    voidReason: text('void_reason'),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.decisionId] })],
);
