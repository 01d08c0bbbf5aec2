import { cache } from 'react';
import { consoleSql } from '../../db/client.ts';
import { deny } from '../../db/queries/audit_entries/deny.ts';
import type { Caller } from '../auth/caller.ts';
import type { Role } from '../domain/states.ts';
import { ServiceError } from '../errors.ts';
import type { Scope } from '../shapes/scope.ts';

/** One entry for one rendered page, however many of its parts ask. */
const writeDown = cache(async (userId: string, tenantId: string, environment: string) =>
  deny(consoleSql(), { userId, tenantId, environment, action: 'open_scope', detail: {} }),
);

/**
 * The caller's roles in this scope: any grant opens its screens. Without one the attempt is written down, and
 * the answer is the same as for a scope that does not exist.
 */
export async function requireGrant(caller: Caller, scope: Scope): Promise<readonly Role[]> {
  const roles = caller.rolesFor(scope.tenant, scope.environment);
  if (roles.length > 0) return roles;
  await writeDown(caller.user.id, scope.tenant, scope.environment);
  throw new ServiceError('not_found', 'There is nothing here, or it is not open to you.');
}
