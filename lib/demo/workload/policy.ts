import type { AuthorizationAnswer, AuthorizationQuestion } from '../../executor/index.ts';

/** The demo's policy: everybody may, except whose rights were taken away. */
export type Policy = { version: string; revoked: readonly string[] };

export const FIRST_POLICY: Policy = { version: '2026-08-18.1', revoked: [] };

/** The next version of the policy, without this actor's rights; the same one when they are gone already. */
export function revoke(policy: Policy, actor: string): Policy {
  if (policy.revoked.includes(actor)) return policy;
  const [date, revision] = policy.version.split('.');
  return { version: `${date}.${Number(revision) + 1}`, revoked: [...policy.revoked, actor] };
}

/** What the policy says as it is now. Rights may come back, so a denial is never for good. */
export const answerOf = (policy: Policy, { actor }: AuthorizationQuestion): AuthorizationAnswer => ({
  allowed: !policy.revoked.includes(actor.id),
  policyVersion: policy.version,
});
