import * as z from 'zod/mini';
import { consoleSql } from '../../db/client.ts';
import { decideApproval as statement } from '../../db/queries/approvals/decide-approval.ts';
import type { Caller } from '../auth/caller.ts';
import { ServiceError } from '../errors.ts';
import {
  approvalConflict,
  approvalDecided,
  type ApprovalDecided,
  type DecideApprovalInput,
} from '../shapes/approval.ts';
import type { Scope } from '../shapes/scope.ts';
import { requireGrant } from './require-grant.ts';

const answer = z.discriminatedUnion('outcome', [
  approvalDecided,
  z.extend(approvalConflict, { outcome: z.literal('conflict') }),
  z.object({ outcome: z.enum(['refused', 'not_found', 'decision_id_reused']) }),
]);

/**
 * Records a person's answer to a request for approval: once, by an approver, for the version that was seen. The database
 * re-reads the grants, judges, answers and audits in one statement; the same decision id with the same content again
 * returns its first result.
 */
export async function decideApproval(
  caller: Caller,
  scope: Scope,
  operationKey: string,
  input: DecideApprovalInput,
): Promise<ApprovalDecided> {
  await requireGrant(caller, scope);
  const said = answer.parse(
    await statement(consoleSql(), {
      userId: caller.user.id,
      tenantId: scope.tenant,
      environment: scope.environment,
      operationKey,
      version: input.version,
      decisionId: input.decision_id,
      answer: input.answer,
      reason: input.reason,
    }),
  );
  switch (said.outcome) {
    case 'decided':
    case 'repeated':
      return said;
    case 'conflict': {
      const { outcome: _, ...conflict } = said;
      throw new ServiceError(
        'conflict',
        'The request changed or was answered before. Nothing was recorded.',
        {
          details: { conflict },
        },
      );
    }
    case 'refused':
      throw new ServiceError(
        'forbidden',
        'Your role here cannot approve. An approver of this tenant and environment can.',
        { details: { refusal: 'not_granted' } },
      );
    case 'decision_id_reused':
      throw new ServiceError(
        'unprocessable',
        'This decision id was used for another answer. Nothing was recorded.',
      );
    case 'not_found':
      throw new ServiceError('not_found', 'There is no operation with this key, or it is not open to you.');
  }
}
