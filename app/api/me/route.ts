import { handler } from '../../../lib/http/handler.ts';

/** Who is signed in, with the grants of this moment. */
export const GET = handler({}, async ({ caller }) => ({
  user: caller.user,
  grants: caller.grants.map(({ tenantId, environment, role }) => ({
    tenant_id: tenantId,
    environment,
    role,
  })),
  expires_at: caller.expiresAt,
}));
