import type { Scope } from '../shapes/scope.ts';

/* Keys hold ':' and '%', so that every part is encoded exactly once, here. */
const path = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`;

/** Search parameters in a stable order, without empty ones; with its `?`, or nothing. */
function query(parameters: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, value] as [string, string]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** The addresses of the screens. */
export const pages = {
  queue: (scope: Scope) => path(scope.tenant, scope.environment, 'queue'),
  case: (scope: Scope, key: string) => path(scope.tenant, scope.environment, 'queue', key),
  operations: (
    scope: Scope,
    filter: { status?: string | null; tool?: string | null; q?: string | null; after?: string | null } = {},
  ) => `${path(scope.tenant, scope.environment, 'operations')}${query(filter)}`,
  operation: (scope: Scope, key: string) => path(scope.tenant, scope.environment, 'operations', key),
  audit: (scope: Scope, page: { before?: string | null } = {}) =>
    `${path(scope.tenant, scope.environment, 'audit')}${query(page)}`,
};

/** The addresses that the screens ask and write to. */
export const endpoints = {
  cases: (scope: Scope, after: string | null = null) =>
    `/api${path('cases', scope.tenant, scope.environment)}${query({ after })}`,
  figures: (scope: Scope) => `/api${path('cases', scope.tenant, scope.environment, 'figures')}`,
  operations: (scope: Scope, filter: Readonly<Record<string, string | null>>) =>
    `/api${path('operations', scope.tenant, scope.environment)}${query(filter)}`,
  operation: (scope: Scope, key: string) => `/api${path('operations', scope.tenant, scope.environment, key)}`,
  decisions: (scope: Scope, key: string) =>
    `/api${path('operations', scope.tenant, scope.environment, key, 'decisions')}`,
  lookups: (scope: Scope, key: string) =>
    `/api${path('operations', scope.tenant, scope.environment, key, 'lookups')}`,
  audit: (scope: Scope, before: string | null) =>
    `/api${path('audit', scope.tenant, scope.environment)}${query({ before })}`,
};

/** The part of a key that tells it from its neighbours: what follows tenant and environment. */
export function keyTail(scope: Scope, key: string): string {
  const prefix = `${scope.tenant}:${scope.environment}:`;
  return key.startsWith(prefix) ? key.slice(prefix.length) : key;
}

/** The first eight digits of a fingerprint. */
export const shortFingerprint = (fingerprint: string) => fingerprint.replace(/^sha256:/, '').slice(0, 8);
