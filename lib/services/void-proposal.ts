import * as z from 'zod/mini';
import { consoleSql } from '../../db/client.ts';
import { voidProposal as statement } from '../../db/queries/decisions/void-proposal.ts';
import type { Caller } from '../auth/caller.ts';
import { ServiceError } from '../errors.ts';
import {
  proposalConflict,
  proposalVoided,
  type ProposalVoided,
  type VoidProposalInput,
} from '../shapes/proposal.ts';
import type { Scope } from '../shapes/scope.ts';
import { refuseVerdict } from './refuse-verdict.ts';
import { requireGrant } from './require-grant.ts';

const answer = z.discriminatedUnion('outcome', [
  proposalVoided,
  z.extend(proposalConflict, { outcome: z.literal('conflict') }),
  z.object({ outcome: z.literal('refused'), refusal: z.literal('not_granted') }),
  z.object({ outcome: z.literal('not_found') }),
]);

/** Takes an open proposal back: its own person withdraws it, another operator or approver declines it. */
export async function voidProposal(
  caller: Caller,
  scope: Scope,
  operationKey: string,
  decisionId: string,
  input: VoidProposalInput,
): Promise<ProposalVoided> {
  await requireGrant(caller, scope);
  const said = answer.parse(
    await statement(consoleSql(), {
      userId: caller.user.id,
      tenantId: scope.tenant,
      environment: scope.environment,
      operationKey,
      decisionId,
      reason: input.reason,
    }),
  );
  switch (said.outcome) {
    case 'voided':
    case 'repeated':
      return said;
    case 'conflict': {
      const { outcome: _, ...conflict } = said;
      throw new ServiceError('conflict', 'The proposal is no longer open. Nothing was recorded.', {
        details: { conflict },
      });
    }
    case 'refused':
      throw refuseVerdict(
        said.refusal,
        'Your role here cannot void a proposal. An operator or approver of this tenant and environment can.',
      );
    case 'not_found':
      throw new ServiceError('not_found', 'There is no such proposal, or it is not open to you.');
  }
}
