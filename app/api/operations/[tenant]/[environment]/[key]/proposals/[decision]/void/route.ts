import { handler } from '../../../../../../../../../lib/http/handler.ts';
import { voidProposal } from '../../../../../../../../../lib/services/void-proposal.ts';
import { proposalPath, voidProposalInput } from '../../../../../../../../../lib/shapes/proposal.ts';

export const POST = handler({ params: proposalPath, body: voidProposalInput }, ({ caller, params, body }) =>
  voidProposal(caller, params, params.key, params.decision, body),
);
