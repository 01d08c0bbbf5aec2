import { handler } from '../../../../../../../lib/http/handler.ts';
import { proposeDecision } from '../../../../../../../lib/services/propose-decision.ts';
import { proposeInput } from '../../../../../../../lib/shapes/proposal.ts';
import { operationPath } from '../../../../../../../lib/shapes/scope.ts';

export const POST = handler({ params: operationPath, body: proposeInput }, ({ caller, params, body }) =>
  proposeDecision(caller, params, params.key, body),
);
