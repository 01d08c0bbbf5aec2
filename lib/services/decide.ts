import * as z from 'zod/mini';
import { consoleSql } from '../../db/client.ts';
import { decide as statement } from '../../db/queries/decisions/decide.ts';
import type { Caller } from '../auth/caller.ts';
import { REFUSALS } from '../domain/verdict.ts';
import { ServiceError } from '../errors.ts';
import { decisionConflict, type Decided, type DecideInput } from '../shapes/decision.ts';
import type { Scope } from '../shapes/scope.ts';
import { refuseVerdict } from './refuse-verdict.ts';
import { requireGrant } from './require-grant.ts';

const answer = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.enum(['decided', 'repeated']),
    version: z.int(),
    status: z.string(),
    successor_key: z.nullish(z.string()),
    audit_sequence: z.nullish(z.int()),
  }),
  z.extend(decisionConflict, { outcome: z.literal('conflict') }),
  z.object({ outcome: z.literal('refused'), refusal: z.enum(REFUSALS) }),
  z.object({ outcome: z.enum(['not_found', 'decision_id_reused', 'not_its_evidence']) }),
]);

/**
 * Records a person's verdict on one case. The database re-reads the grants, judges, decides and audits in one
 * statement; sending the same decision id with the same content again returns its first result.
 */
export async function decide(
  caller: Caller,
  scope: Scope,
  operationKey: string,
  input: DecideInput,
): Promise<Decided> {
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
    case 'decided':
    case 'repeated':
      return {
        outcome: said.outcome,
        version: said.version,
        status: said.status,
        successor_key: said.successor_key ?? null,
        audit_sequence: said.audit_sequence ?? null,
      };
    case 'conflict': {
      const { outcome: _, ...conflict } = said;
      throw new ServiceError('conflict', 'The case changed while you were deciding. Nothing was recorded.', {
        details: { conflict },
      });
    }
    case 'refused':
      throw refuseVerdict(
        said.refusal,
        'Your role here cannot decide. An operator of this tenant and environment can.',
      );
    case 'decision_id_reused':
      throw new ServiceError(
        'unprocessable',
        'This decision id was used for another decision. Nothing was recorded.',
      );
    case 'not_its_evidence':
      throw new ServiceError(
        'unprocessable',
        'The decision names evidence that this operation does not have. Nothing was recorded.',
      );
    case 'not_found':
      throw new ServiceError('not_found', 'There is no operation with this key, or it is not open to you.');
  }
}
