import * as z from 'zod/mini';
import { consoleSql } from '../../db/client.ts';
import { propose as statement } from '../../db/queries/decisions/propose.ts';
import type { Caller } from '../auth/caller.ts';
import { REFUSALS } from '../domain/verdict.ts';
import { ServiceError } from '../errors.ts';
import { decisionConflict } from '../shapes/decision.ts';
import { proposed, type Proposed, type ProposeInput } from '../shapes/proposal.ts';
import type { Scope } from '../shapes/scope.ts';
import { refuseVerdict } from './refuse-verdict.ts';
import { requireGrant } from './require-grant.ts';

const answer = z.discriminatedUnion('outcome', [
  proposed,
  z.extend(decisionConflict, { outcome: z.literal('conflict') }),
  z.object({ outcome: z.literal('refused'), refusal: z.enum(REFUSALS) }),
  z.object({ outcome: z.enum(['not_found', 'decision_id_reused', 'not_its_evidence']) }),
]);

/**
 * Proposes a verdict that a second person has to approve. It is bound to its content and to the version that was seen,
 * changes nothing of the operation, and takes the place of the operation's open proposal.
 */
export async function proposeDecision(
  caller: Caller,
  scope: Scope,
  operationKey: string,
  input: ProposeInput,
): Promise<Proposed> {
  await requireGrant(caller, scope);
  const said = answer.parse(
    await statement(consoleSql(), {
      userId: caller.user.id,
      tenantId: scope.tenant,
      environment: scope.environment,
      operationKey,
      version: input.version,
      decisionId: input.decision_id,
      verdict: input.verdict,
      reason: input.reason,
      effectReference: input.effect_reference,
      evidenceIds: input.evidence_ids,
    }),
  );
  switch (said.outcome) {
    case 'proposed':
    case 'repeated':
      return said;
    case 'conflict': {
      const { outcome: _, ...conflict } = said;
      throw new ServiceError('conflict', 'The case changed while you were deciding. Nothing was proposed.', {
        details: { conflict },
      });
    }
    case 'refused':
      throw refuseVerdict(
        said.refusal,
        'Your role here cannot propose. An operator of this tenant and environment can.',
      );
    case 'decision_id_reused':
      throw new ServiceError(
        'unprocessable',
        'This decision id was used for something else. Nothing was proposed.',
      );
    case 'not_its_evidence':
      throw new ServiceError(
        'unprocessable',
        'The proposal names evidence that this operation does not have. Nothing was proposed.',
      );
    case 'not_found':
      throw new ServiceError('not_found', 'There is no operation with this key, or it is not open to you.');
  }
}
