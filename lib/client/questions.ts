import { auditPage, type AuditPage } from '../shapes/audit.ts';
import {
  caseFigures,
  casePage,
  operationPage,
  type CaseFigures,
  type CasePage,
  type OperationPage,
} from '../shapes/case-row.ts';
import { operationDetail, type OperationDetail } from '../shapes/operation-record.ts';
import type { Scope } from '../shapes/scope.ts';
import { endpoints } from './addresses.ts';
import { ask } from './ask.ts';

/** How often a screen asks again while it is looked at. */
const POLL_MS = 5_000;
/** How often while somebody waits for the answer of a look-up. */
const WAITING_MS = 1_000;

/** Something that a screen asks the server again and again. */
export type Question<T> = {
  key: readonly unknown[];
  ask: (signal: AbortSignal) => Promise<T>;
  everyMs: (known: T | undefined) => number;
};

/** A list that is asked page by page; `null` is its beginning. */
export type PagedQuestion<T> = {
  key: readonly unknown[];
  ask: (signal: AbortSignal, after: string | null) => Promise<T>;
  everyMs: number;
};

const everyPoll = () => POLL_MS;

/** Everything that is known of one scope hangs below this key. */
export const scopeKey = (scope: Scope) => [scope.tenant, scope.environment] as const;

export const casesKey = (scope: Scope) => [...scopeKey(scope), 'cases'] as const;

export const figuresQuestion = (scope: Scope): Question<CaseFigures> => ({
  key: [...scopeKey(scope), 'figures'],
  ask: (signal) => ask(endpoints.figures(scope), caseFigures, signal),
  everyMs: everyPoll,
});

export const casesQuestion = (scope: Scope): PagedQuestion<CasePage> => ({
  key: casesKey(scope),
  ask: (signal, after) => ask(endpoints.cases(scope, after), casePage, signal),
  everyMs: POLL_MS,
});

export const operationQuestion = (scope: Scope, operationKey: string): Question<OperationDetail> => ({
  key: [...scopeKey(scope), 'operation', operationKey],
  ask: (signal) => ask(endpoints.operation(scope, operationKey), operationDetail, signal),
  everyMs: (known) => (known?.question ? WAITING_MS : POLL_MS),
});

export const operationsQuestion = (
  scope: Scope,
  filter: Readonly<Record<string, string | null>>,
): Question<OperationPage> => ({
  key: [...scopeKey(scope), 'operations', filter],
  ask: (signal) => ask(endpoints.operations(scope, filter), operationPage, signal),
  everyMs: everyPoll,
});

export const auditQuestion = (scope: Scope, before: string | null): Question<AuditPage> => ({
  key: [...scopeKey(scope), 'audit', before],
  ask: (signal) => ask(endpoints.audit(scope, before), auditPage, signal),
  everyMs: everyPoll,
});
