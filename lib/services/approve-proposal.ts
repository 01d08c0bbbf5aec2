import * as z from 'zod/mini';
import { consoleSql } from '../../db/client.ts';
import { approveProposal as statement } from '../../db/queries/decisions/approve-proposal.ts';
import type { Caller } from '../auth/caller.ts';
import { REFUSALS } from '../domain/verdict.ts';
import { ServiceError } from '../errors.ts';
import {
  proposalApproved,
  proposalConflict,
  type ApproveProposalInput,
  type ProposalApproved,
} from '../shapes/proposal.ts';
import type { Scope } from '../shapes/scope.ts';
import { refuseVerdict } from './refuse-verdict.ts';
import { requireGrant } from './require-grant.ts';

const answer = z.discriminatedUnion('outcome', [
  proposalApproved,
  z.extend(proposalConflict, { outcome: z.literal('conflict') }),
  z.object({ outcome: z.literal('refused'), refusal: z.enum(REFUSALS) }),
  z.object({ outcome: z.literal('not_found') }),
]);

/**
 * The second person: another human than the proposer, an approver here since before the proposal. The database re-reads
 * the grants of both, judges again, and carries the proposal out and audits it in one statement. Where the operation
 * changed since, the proposal is void.
 */
export async function approveProposal(
  caller: Caller,
  scope: Scope,
  operationKey: string,
  decisionId: string,
  input: ApproveProposalInput,
): Promise<ProposalApproved> {
  await requireGrant(caller, scope);
  const said = answer.parse(
    await statement(consoleSql(), {
      userId: caller.user.id,
      tenantId: scope.tenant,
      environment: scope.environment,
      operationKey,
      decisionId,
      version: input.version,
      reason: input.reason,
    }),
  );
  switch (said.outcome) {
    case 'decided':
    case 'repeated':
      return said;
    case 'conflict': {
      const { outcome: _, ...conflict } = said;
      throw new ServiceError('conflict', SENTENCES[said.state], { details: { conflict } });
    }
    case 'refused':
      throw refuseVerdict(
        said.refusal,
        'Your role here cannot approve. An approver of this tenant and environment can.',
      );
    case 'not_found':
      throw new ServiceError('not_found', 'There is no such proposal, or it is not open to you.');
  }
}

const SENTENCES = {
  proposed: 'The proposal was made for another version. Nothing was recorded.',
  approved: 'The proposal was approved before. Nothing more was recorded.',
  voided: 'The proposal is void. Nothing was recorded.',
  recorded: 'This is no proposal: one person decided it. Nothing more was recorded.',
};
