import * as z from 'zod/mini';
import { consoleSql } from '../../db/client.ts';
import { decide as statement } from '../../db/queries/decisions/decide.ts';
import type { Caller } from '../auth/caller.ts';
import { REFUSALS, type Refusal } from '../domain/verdict.ts';
import { ServiceError } from '../errors.ts';
import { decisionConflict, type Decided, type DecideInput } from '../shapes/decision.ts';
import type { Scope } from '../shapes/scope.ts';
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
      throw new ServiceError(codeOf(said.refusal), SENTENCES[said.refusal], {
        details: { refusal: said.refusal },
      });
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

/** A receipt that is missing is the caller's to correct; a role is not; everything else is the state of the case. */
function codeOf(refusal: Refusal) {
  if (refusal === 'not_granted') return 'forbidden';
  return refusal === 'receipt_required' ? 'unprocessable' : 'conflict';
}

const SENTENCES: Record<Refusal, string> = {
  not_granted: 'Your role here cannot decide. An operator of this tenant and environment can.',
  already_resolved: 'The case is already resolved. Nothing was recorded.',
  being_attempted: 'A worker holds the lease and may be sending now. Nothing was recorded.',
  effect_found: 'The effect was found in the system of record. Nothing was recorded.',
  older_epoch: 'The database fail-over has to be accepted first. Nothing was recorded.',
  receipt_required: 'It happened needs a receipt: the downstream id that proves it.',
  second_person_required: 'This verdict needs a second person. Nothing was recorded.',
  no_lookup: 'This tool has no lookup.',
  not_an_operation: 'There is no such operation.',
};
