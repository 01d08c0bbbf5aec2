import { handler } from '../../../../../../../../../lib/http/handler.ts';
import { approveProposal } from '../../../../../../../../../lib/services/approve-proposal.ts';
import { approveProposalInput, proposalPath } from '../../../../../../../../../lib/shapes/proposal.ts';

export const POST = handler(
  { params: proposalPath, body: approveProposalInput },
  ({ caller, params, body }) => approveProposal(caller, params, params.key, params.decision, body),
);
