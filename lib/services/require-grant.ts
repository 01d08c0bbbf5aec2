import { consoleSql } from '../../db/client.ts';
import { deny } from '../../db/queries/audit_entries/deny.ts';
import type { Caller } from '../auth/caller.ts';
import type { Role } from '../domain/states.ts';
import { ServiceError } from '../errors.ts';
import type { Scope } from '../shapes/scope.ts';

/**
 * The caller's roles in this scope, for an action that any grant opens. Without one the attempt is written down, and
 * the answer is the same as for a scope that does not exist.
 */
export async function requireGrant(caller: Caller, scope: Scope, action: string): Promise<readonly Role[]> {
  const roles = caller.rolesFor(scope.tenant, scope.environment);
  if (roles.length > 0) return roles;
  await deny(consoleSql(), {
    userId: caller.user.id,
    tenantId: scope.tenant,
    environment: scope.environment,
    action,
    detail: {},
  });
  throw new ServiceError('not_found', 'There is nothing here, or it is not open to you.');
}
