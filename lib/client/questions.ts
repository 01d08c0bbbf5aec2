'use client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
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
export const POLL_MS = 5_000;

/** Everything that is known of one scope hangs below this key. */
export const scopeKey = (scope: Scope) => [scope.tenant, scope.environment] as const;

export const figuresQuestion = (scope: Scope, initialData?: CaseFigures) =>
  queryOptions({
    queryKey: [...scopeKey(scope), 'figures'],
    queryFn: ({ signal }) => ask(endpoints.figures(scope), caseFigures, signal),
    refetchInterval: POLL_MS,
    ...(initialData ? { initialData } : {}),
  });

export const casesQuestion = (scope: Scope, first?: CasePage) =>
  infiniteQueryOptions({
    queryKey: [...scopeKey(scope), 'cases'],
    queryFn: ({ signal, pageParam }) => ask(endpoints.cases(scope, pageParam), casePage, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    refetchInterval: POLL_MS,
    ...(first ? { initialData: { pages: [first], pageParams: [null as string | null] } } : {}),
  });

export const operationQuestion = (scope: Scope, key: string, initialData?: OperationDetail) =>
  queryOptions({
    queryKey: [...scopeKey(scope), 'operation', key],
    queryFn: ({ signal }) => ask(endpoints.operation(scope, key), operationDetail, signal),
    /* Somebody waits for the answer of a look-up: ask more often until it is there. */
    refetchInterval: ({ state }) => (state.data?.question ? 1_000 : POLL_MS),
    ...(initialData ? { initialData } : {}),
  });

export const operationsQuestion = (
  scope: Scope,
  filter: Readonly<Record<string, string | null>>,
  initialData?: OperationPage,
) =>
  queryOptions({
    queryKey: [...scopeKey(scope), 'operations', filter],
    queryFn: ({ signal }) => ask(endpoints.operations(scope, filter), operationPage, signal),
    refetchInterval: POLL_MS,
    ...(initialData ? { initialData } : {}),
  });

export const auditQuestion = (scope: Scope, before: string | null, initialData?: AuditPage) =>
  queryOptions({
    queryKey: [...scopeKey(scope), 'audit', before],
    queryFn: ({ signal }) => ask(endpoints.audit(scope, before), auditPage, signal),
    refetchInterval: POLL_MS,
    ...(initialData ? { initialData } : {}),
  });
